import { mount } from 'svelte'

import App from './App.svelte'
import './theme.css'
import './page.css'
import { engine } from './lib/engine/engine.svelte'
import { reloadIfReplaced, stayOffline } from './lib/offline.svelte'
import { look } from './lib/theme.svelte'

reloadIfReplaced()
look.apply()
const target = document.getElementById('page')
if (target) mount(App, { target })
void stayOffline().then(() => engine.start())
