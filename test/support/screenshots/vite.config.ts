import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Builds the pages alone, for pictures of them; the till itself is built by electron-vite. */
export default defineConfig({
  root: here('../../../renderer'),
  base: './',
  plugins: [svelte({ configFile: here('../../../svelte.config.js') })],
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: here('../../../renderer/index.html'),
        'customer-display': here('../../../renderer/customer-display.html')
      }
    }
  }
})
