import js from '@eslint/js'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

/** Rooms of main that know nothing of Electron and nothing of each other: they run, and are tested, in plain Node. */
const plainServices = [
  'loyalty',
  'slips',
  'printing',
  'images',
  'rewards',
  'session',
  'slip-pdf',
  'diagnostics',
  'updates',
  'staff',
  'customer-display'
]

/** Services that another service builds on. */
const usedServices = { slips: ['./slip-pdf'], 'slip-pdf': ['./printing'] }

/** Who may import whom. `target` may not import `from`, apart from the exceptions named. */
const zones = [
  {
    target: './electron/contract',
    from: ['./electron/main', './electron/preload', './renderer', './test'],
    message: 'The contract knows nobody.'
  },
  {
    target: './electron/preload',
    from: ['./electron/main', './renderer', './test'],
    message: 'The preload knows the contract only.'
  },
  {
    target: './renderer',
    from: ['./electron/main', './electron/preload', './test'],
    message: 'The page knows the contract only: it reaches main over the bridge.'
  },
  { target: './electron', from: ['./test'], message: 'Product code knows no test.' },
  {
    target: './electron',
    from: './generated/messages/screen',
    message: 'What the screen says is the page’s; the words of slips are in generated/messages/slip.'
  },
  {
    target: ['./electron/contract', './electron/preload'],
    from: './generated',
    message: 'Words belong to those who show them.'
  },
  ...['settings', 'platform', ...plainServices].map((room) => ({
    target: `./electron/main/${room}`,
    from: './electron/main',
    except: [`./${room}`, './fs', './log', './lazy.ts', ...(usedServices[room] ?? [])],
    message: 'A service knows no other service: app/ and ipc/ bring them together.'
  })),
  ...['fs', 'log'].map((room) => ({
    target: `./electron/main/${room}`,
    from: './electron/main',
    except: [`./${room}`],
    message: 'What every service may use knows none of them.'
  }))
]

const electronIsElsewhere = {
  patterns: [
    {
      regex: '^electron(-store|-updater|/.*)?$',
      message: 'Only platform/, settings/, app/, index.ts and the preload know Electron.'
    }
  ]
}

const WRITTEN_ELSEWHERE = 'What a person reads stands in resources/locales, in every language.'

/** Text in markup, in attributes and in code that reads like a sentence. Symbols such as “·” are nobody's language. */
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
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.svelte'] })]
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
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
      // Reads well for maps of many entries, and the index check is on anyway.
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/dot-notation': 'off'
    }
  },
  {
    files: ['electron/contract/**', ...['log', ...plainServices].map((room) => `electron/main/${room}/**`)],
    rules: { 'no-restricted-imports': ['error', electronIsElsewhere] }
  },
  {
    files: ['electron/contract/**', 'renderer/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(node:.*|electron(-store|/.*)?)$', message: 'Neither Node nor Electron here.' }
          ]
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
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } }
  },
  {
    // Programs whose output is their purpose.
    files: [
      'test/support/**',
      'resources/scripts/**',
      'test/bench/run.ts',
      'test/soak/run.ts',
      'test/e2e/support/reporter.ts',
      'electron/service/server.ts'
    ],
    rules: { 'no-console': 'off' }
  },
  {
    files: ['*.js', '**/*.mjs', '**/*.cjs'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node }
  }
)
