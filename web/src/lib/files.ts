// Files in and out of the page.

import { capital } from './words'

/** Have the browser save a file. */
export function download(name: string, content: string | Blob, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A title as a file's name: `Guns on rifles` becomes `guns-on-rifles`. */
export function fileName(title: string, ending: string): string {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${name || 'battle'}.${ending}`
}

/** A file's name as a title: `02-guns-on-rifles.toml` becomes `Guns on rifles`. */
export function titleOf(name: string): string {
  const words = name
    .replace(/\.(toml|json)$/i, '')
    .replace(/^\d+[-_. ]+/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return capital(words)
}

/** Put a text on the clipboard; false where the browser does not let the page. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
