// Preloaded into an Electron app (--require): notes each module that is loaded before its first window, into a file.
/* eslint-disable @typescript-eslint/no-require-imports -- what is preloaded is CommonJS */
const { registerHooks } = require('node:module')
const { writeFileSync } = require('node:fs')
const { app } = require('electron')

const loaded = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  }
})
app.once('browser-window-created', () => {
  writeFileSync(
    process.env.TILLPOINTS_BENCH_MODULES,
    JSON.stringify({ loaded, builtIn: process.moduleLoadList })
  )
  app.exit()
})
