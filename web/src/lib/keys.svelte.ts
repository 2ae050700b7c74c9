// Keyboard shortcuts. Single letters can be switched off, as they conflict with dictation and other aids.

import { recall, remember } from './memory'

class Keys {
  areOn = $state(recall('shortcuts', true))

  set(areOn: boolean): void {
    this.areOn = areOn
    remember('shortcuts', areOn)
  }

  /** The pressed shortcut, as in `z`, `mod z` or `mod shift z`; null if the key belongs to something else. */
  pressed(event: KeyboardEvent): string | null {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open]'))
      return null
    if (event.altKey) return null
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (event.ctrlKey || event.metaKey) return `mod ${event.shiftKey ? 'shift ' : ''}${key}`
    return this.areOn ? key : null
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  )
}

export const keys = new Keys()
