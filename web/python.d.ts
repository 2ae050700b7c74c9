import type { Plugin } from 'vite'

export function python(): Plugin
