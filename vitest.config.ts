import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

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
    // The stand-in runs on Linux; other systems have the real Electron.
    exclude: [
      ...configDefaults.exclude,
      ...(process.platform === 'linux' ? [] : ['test/rigs/electron-stand-in/**'])
    ],
    server: { deps: { inline: ['electron-store'] } },
    // Property tests and rigs start real programs; a slow machine must not turn them red.
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
