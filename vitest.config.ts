import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [svelte()],
  resolve: {
    alias: { electron: here('./test/rigs/electron-stub.ts') }
  },
  test: {
    include: [
      'test/unit/**/*.test.ts',
      'test/rigs/**/*.test.ts',
      'test/printing/**/*.test.ts',
      'test/crash/**/*.test.ts'
    ],
    server: { deps: { inline: ['electron-store'] } },
    // Property tests and rigs start real programs; a slow machine must not turn them red.
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
