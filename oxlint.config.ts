import { defineConfig } from 'oxlint'
import ts from 'typescript-eslint'
import js from '@eslint/js'
import { services, zones } from './resources/lint/import-zones.ts'
import { noNode, recommended, rules } from './resources/lint/rules.ts'

type Rules = NonNullable<Parameters<typeof defineConfig>[0]['rules']>

/** Those that are on. Oxlint refuses names that it does not know. */
const activeRules = (...configs: readonly { readonly rules?: object }[]): Rules =>
  Object.fromEntries(
    Object.entries(Object.assign({}, ...configs.map((config) => config.rules)) as Rules).filter(
      // Both are errors of syntax in modules.
      ([name, rule]) => rule !== 'off' && rule !== 0 && !['no-octal', 'no-dupe-args'].includes(name)
    )
  )

const active = activeRules(...recommended, { rules })
const typed = Object.keys(ts.configs.disableTypeChecked.rules ?? {}).filter((name) => name in active)

const noElectron = {
  regex: '^electron(-store|-updater|/.*)?$',
  message: 'Only platform/, settings/, app/, index.ts and the preload import Electron.'
}
const noRename = {
  regex: '^node:fs',
  importNamePattern: '^rename(Sync)?$',
  message: 'A virus scanner may have the file open: use renameFile, which tries again.'
}
const notImported = (files: readonly string[], ...patterns: (typeof noNode | typeof noRename)[]) => ({
  files: [...files],
  rules: { 'no-restricted-imports': ['error', { patterns }] } satisfies Rules
})

/** Everything but components and the rest of the page, which ESLint reads: see `eslint.config.js`. */
export default defineConfig({
  ignorePatterns: ['out/', 'generated/', 'renderer/', 'test-results/', '**/*.svelte'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript'],
  jsPlugins: [
    { name: 'imports', specifier: 'eslint-plugin-import-x' },
    { name: 'modules', specifier: './resources/lint/module-rules.ts' }
  ],
  categories: { correctness: 'off' },
  rules: {
    ...active,
    'imports/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }]
  },
  overrides: [
    { files: ['test/**'], rules: { 'modules/no-import-cycle': ['error', 'values'] } },
    {
      files: ['electron/**'],
      rules: {
        'modules/no-import-cycle': 'error',
        'modules/unique-exported-names': ['error', ['electron', 'renderer/src']]
      }
    },
    notImported(['electron/contract/**'], noNode),
    notImported(['electron/service/**'], noElectron),
    notImported(['electron/main/**'], noRename),
    notImported(
      ['fs', 'ipc', 'local-interface', 'log', ...services]
        .filter((name) => name !== 'settings')
        .map((name) => `electron/main/${name}/**`),
      noElectron,
      noRename
    ),
    notImported(['electron/main/fs/atomic-write.ts'], noElectron),
    {
      // Programs whose output is their purpose.
      files: [
        'test/support/**',
        'resources/scripts/**',
        'test/bench/{run,batch/slow-service,baseline/service}.ts',
        'test/{monkey,mutation,timing}/run.ts',
        'test/soak/**/run.ts',
        'test/e2e/support/reporter.ts',
        'electron/service/cli/**'
      ],
      rules: { 'no-console': 'off' }
    },
    {
      files: ['**/*.{js,mjs,cjs}'],
      env: { node: true },
      rules: {
        ...activeRules(js.configs.recommended),
        ...Object.fromEntries(typed.map((name) => [name, 'off']))
      }
    }
  ]
})
