import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'

/** The starter as electron-vite makes it by itself, its page minified as the till's is. */
export default defineConfig({
  main: {},
  preload: { build: { rolldownOptions: { output: { format: 'cjs', entryFileNames: '[name].cjs' } } } },
  renderer: { plugins: [svelte()], build: { minify: true } }
})
