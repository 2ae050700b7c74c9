// Light, dark, or as the device has it.

import { recall, remember } from './memory'

export type Theme = 'system' | 'light' | 'dark'

class Look {
  theme = $state<Theme>(recall<Theme>('theme', 'system'))

  set(theme: Theme): void {
    this.theme = theme
    remember('theme', theme === 'system' ? null : theme)
    this.apply()
  }

  apply(): void {
    if (this.theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = this.theme
  }
}

export const look = new Look()
