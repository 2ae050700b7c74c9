import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { defineConfig } from 'vitest/config'

import { python } from './python.js'

// The page is built into the Python package, which serves it. During development the API is a running `grognard serve`.
export default defineConfig({
  plugins: [svelte(), svelteTesting(), python()],
  worker: { format: 'es' },
  build: {
    outDir: '../src/grognard/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
  test: {
    environment: 'jsdom',
    testTimeout: 60_000,
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/browser.ts'],
  },
})
