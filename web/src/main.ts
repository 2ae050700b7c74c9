import { mount } from 'svelte'

import App from './App.svelte'
import './theme.css'
import './page.css'
import { engine } from './lib/engine/engine.svelte'
import { stayOffline } from './lib/offline.svelte'
import { look } from './lib/theme.svelte'

look.apply()
const target = document.getElementById('page')
if (target) mount(App, { target })
void stayOffline().then(() => engine.start())
