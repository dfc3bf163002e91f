/**
 * Starts every npm script of the project: `node resources/scripts/run.cjs [VARIABLE=value …] NAME [arguments …]`.
 * NAME is a tool below or the path of a script. npm puts node_modules/.bin first on PATH, so `node` is the pinned
 * release there; after an install with --ignore-scripts it is the machine's own. Any Node from 20 on can parse this file.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- CommonJS, so that any Node can load it */
const { join, resolve } = require('node:path')
const { Module } = require('node:module')

const PROJECT = join(__dirname, '../..')
const TOOLS = {
  'electron-vite': 'node_modules/electron-vite/bin/electron-vite.js',
  eslint: 'node_modules/eslint/bin/eslint.js',
  knip: 'node_modules/knip/bin/knip.js',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  playwright: 'node_modules/@playwright/test/cli.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  'svelte-check': 'node_modules/svelte-check/bin/svelte-check',
  tsc: 'node_modules/@typescript/native/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs'
}

const pinned = require(join(PROJECT, 'package.json')).devDependencies.node
if (process.versions.node.split('.')[0] !== pinned.split('.')[0]) {
  console.error(
    `Tillpoints needs Node ${pinned}, which "npm ci" installs beside its packages; this is Node ${process.versions.node}. ` +
      'Run "npm ci" without --ignore-scripts, then use the npm scripts.'
  )
  process.exit(1)
}

const args = process.argv.slice(2)
for (let match; (match = /^([A-Z_]+)=(.*)$/u.exec(args[0] ?? '')); args.shift())
  process.env[match[1]] = match[2]
const [name = '', ...rest] = args
// The script becomes the main module, so that `import.meta.main` is true in it and signals reach it directly.
process.argv = [process.execPath, resolve(PROJECT, TOOLS[name] ?? name), ...rest]
Module.runMain()
