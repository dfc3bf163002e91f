import js from '@eslint/js'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { noImportCycle, uniqueExportedNames } from './resources/lint/module-rules.ts'
import svelteConfig from './svelte.config.js'

/**
 * The services of main, each above those that it may import: a constructor takes the object that does the work. Without
 * Electron, so that each runs, and is tested, in plain Node.
 */
const services = [
  'diagnostics',
  'updates',
  'slips',
  'offline',
  'operations',
  'reports',
  'upkeep',
  'slip-pdf',
  'printer-discovery',
  'printing',
  'customer-display',
  'rewards',
  'session',
  'policy',
  'loyalty',
  'images',
  'staff',
  'settings',
  'journal'
]

/** `target` must not import `from`, with the exceptions of `except`. Type imports count. */
const zones = [
  {
    target: './electron/contract',
    from: [
      './electron/main',
      './electron/preload',
      './electron/service',
      './renderer',
      './test',
      './generated'
    ],
    message: 'The contract imports nothing.'
  },
  {
    target: './electron/preload',
    from: ['./electron/main', './electron/service', './renderer', './test', './generated'],
    message: 'The preload imports the contract only.'
  },
  {
    target: './renderer',
    from: ['./electron/main', './electron/preload', './electron/service', './test'],
    message: 'The page imports the contract only: it reaches main over the bridge.'
  },
  {
    target: './electron/service',
    from: [
      './electron/main',
      './electron/preload',
      './renderer',
      ...['screen', 'slip', 'dialogs', 'customer-display'].map((group) => `./generated/messages/${group}`)
    ],
    message:
      'The Loyalty Points Service imports the contract, the messages of its pages and npm packages only.'
  },
  ...[
    { target: 'domain', except: ['./domain'] },
    { target: 'store', except: ['./store', './domain'] },
    { target: 'api', except: ['./api', './domain', './store'] },
    { target: 'html', except: ['./html', './api', './domain', './store'] },
    { target: 'pages', except: ['./pages', './html', './api', './domain', './store'] },
    { target: 'manage', except: ['./manage', './html', './api', './domain', './store'] },
    { target: 'monitoring', except: ['./monitoring', './api', './domain', './store'] }
  ].map(({ target, except }) => ({
    target: `./electron/service/${target}`,
    from: './electron/service',
    except,
    message:
      'In the service, pages/ and manage/ import html/, these three and monitoring/ api/, store/ and domain/, api/ store/ and domain/, store/ domain/.'
  })),
  ...['index.ts', 'api/app.ts', 'api/routes.ts', 'seed'].map((target) => ({
    target: `./electron/service/${target}`,
    from: [
      'api/extension-openapi.ts',
      'api/pairing.ts',
      'cli',
      'domain/logo-worker.ts',
      'domain/logos.ts',
      'domain/staff.ts',
      'html',
      'manage',
      'monitoring',
      'pages',
      'server.ts',
      'store/attempts.ts',
      'store/devices.ts',
      'store/kept-forms.ts',
      'store/logos.ts',
      'store/staff-members.ts',
      'store/postgres.ts',
      'store/primary-pool.ts'
    ].map((file) => `./electron/service/${file}`),
    message: 'Training mode needs neither pairing nor pages, the command line, an HTTP server or PostgreSQL.'
  })),
  {
    target: './electron/main',
    from: './electron/service',
    except: ['./index.ts'],
    message: 'The till contains what training mode needs of the service, and no more.'
  },
  { target: './electron', from: ['./test'], message: 'The product imports no test.' },
  {
    target: './electron',
    from: './generated/messages/screen',
    message: 'The messages of the screen are for the page; electron/ uses the groups slip and dialogs.'
  },
  ...['ipc', 'local-interface'].map((name) => ({
    target: `./electron/main/${name}`,
    from: ['./electron/main/app', './electron/main/platform'],
    message: 'The handlers are created by app/, and run without Electron.'
  })),
  ...['platform', ...services].map((name) => ({
    target: `./electron/main/${name}`,
    from: './electron/main',
    except: [
      `./${name}`,
      './fs',
      './log',
      './exec.ts',
      './image-size.ts',
      './lazy.ts',
      './worker-thread.ts',
      ...(name === 'platform' ? [] : services.slice(services.indexOf(name) + 1).map((below) => `./${below}`))
    ],
    message: 'A service imports the services below it in the list; platform/ imports none.'
  })),
  {
    target: './electron/main/fs',
    from: './electron/main',
    except: ['./fs'],
    message: 'fs/ is used by every service and imports none.'
  },
  {
    target: './electron/main/log',
    from: './electron/main',
    except: ['./log', './fs'],
    message: 'log/ is used by every service and imports none.'
  }
]

const noElectron = {
  patterns: [
    {
      regex: '^electron(-store|-updater|/.*)?$',
      message: 'Only platform/, settings/, app/, index.ts and the preload import Electron.'
    }
  ]
}

const WRITTEN_ELSEWHERE = 'Text for users is in resources/locales, in every language.'

/** Text in markup, in attributes and in code that looks like a sentence; symbols such as “·” are allowed. */
const noWordsInCode = [
  // Names of keys, such as F9, are on every keyboard.
  ':not(SvelteStyleElement, SvelteScriptElement) > SvelteText[value=/\\p{L}/u]:not([value=/^F\\d+$/])',
  'SvelteAttribute[key.name=/^(aria-label|title|placeholder|alt|label|hint)$/] > SvelteLiteral',
  'SvelteMustacheTag > Literal[value=/\\p{Lu}\\p{Ll}/u]',
  'SvelteMustacheTag > ConditionalExpression > Literal[value=/\\p{Lu}\\p{Ll}/u]',
  ':not(NewExpression[callee.name=/Error$/]) > Literal[value=/^\\p{Lu}\\p{Ll}+,? .*\\p{Ll}/u]',
  'TemplateElement[value.raw=/\\p{Lu}\\p{Ll}+ \\p{Ll}/u]'
].map((selector) => ({ selector, message: WRITTEN_ELSEWHERE }))

export default ts.config(
  { ignores: ['out/', 'generated/', 'node_modules/', 'resources/fonts/', 'test-results/'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.js', 'svelte.config.js', 'test/bench/baseline/empty-app/*.js']
        },
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname
      }
    },
    plugins: {
      'import-x': importX,
      modules: { rules: { 'no-import-cycle': noImportCycle, 'unique-exported-names': uniqueExportedNames } }
    },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.svelte'] })]
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }],
      'no-console': 'error',
      // Playwright reads a fixture's needs from its first parameter, which is empty when it needs none.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true }
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' }
      ],

      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/dot-notation': 'off',
      // There are no enums: types are erased, not compiled. The rule compares the types of every assignment.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Own classes have private fields: TypeScript tells their instances from other objects. The rule takes a tenth of the linter's time.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off'
    }
  },
  {
    files: ['test/**'],
    rules: { 'modules/no-import-cycle': ['error', 'values'] }
  },
  {
    files: ['electron/**', 'renderer/src/**'],
    rules: {
      'modules/no-import-cycle': 'error',
      'modules/unique-exported-names': ['error', ['electron', 'renderer/src']]
    }
  },
  {
    files: [
      'electron/contract/**',
      'electron/service/**',
      ...['fs', 'ipc', 'local-interface', 'log', ...services]
        .filter((name) => name !== 'settings')
        .map((name) => `electron/main/${name}/**`)
    ],
    rules: { 'no-restricted-imports': ['error', noElectron] }
  },
  {
    files: ['electron/main/**'],
    ignores: ['electron/main/fs/atomic-write.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportSpecifier[imported.name=/^rename(Sync)?$/]',
          message: 'A virus scanner may have the file open: use renameFile, which tries again.'
        }
      ]
    }
  },
  {
    files: ['electron/contract/**', 'renderer/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^(node:.*|electron(-store|/.*)?)$', message: 'No Node and no Electron here.' }]
        }
      ]
    }
  },
  {
    files: ['renderer/**'],
    languageOptions: { globals: globals.browser },
    rules: {
      'no-restricted-syntax': ['error', ...noWordsInCode],
      // The content policy blocks both, and only at run time.
      'svelte/no-at-html-tags': 'error',
      'svelte/no-inline-styles': ['error', { allowTransitions: true }]
    }
  },
  {
    files: ['**/*.svelte'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } }
  },
  {
    // Runes are functions of Svelte's types. Svelte's parser gives TypeScript another text, after which types are computed anew.
    files: ['**/*.svelte.ts'],
    languageOptions: { parser: ts.parser }
  },
  {
    // Programs whose output is their purpose.
    files: [
      'test/support/**',
      'resources/scripts/**',
      'test/bench/{run,batch/slow-service,baseline/service}.ts',
      'test/{monkey,mutation,soak/**,timing}/run.ts',
      'test/e2e/support/reporter.ts',
      'electron/service/cli/**'
    ],
    rules: { 'no-console': 'off' }
  },
  {
    files: ['*.js', '**/*.mjs', '**/*.cjs'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node }
  }
)
