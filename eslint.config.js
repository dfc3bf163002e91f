import js from '@eslint/js'
import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

/** Rooms of main that know nothing of Electron and nothing of each other: they run, and are tested, in plain Node. */
const plainServices = ['loyalty', 'slips', 'printing', 'practice', 'pictures', 'till']

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
  ...['settings', 'shell', ...plainServices].map((room) => ({
    target: `./electron/main/${room}`,
    from: './electron/main',
    except: [`./${room}`, './files'],
    message: 'A service knows no other service: index.ts and answers/ bring them together.'
  })),
  {
    target: './electron/main/files',
    from: './electron/main',
    except: ['./files'],
    message: 'What every service may use knows none of them.'
  }
]

const electronIsElsewhere = {
  patterns: [
    {
      regex: '^electron(-store|/.*)?$',
      message: 'Only shell/, settings/, index.ts and the preload know Electron.'
    }
  ]
}

export default ts.config(
  { ignores: ['out/', 'node_modules/', 'resources/fonts/', 'test-results/'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', 'svelte.config.js'] },
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
    files: ['electron/contract/**', ...plainServices.map((room) => `electron/main/${room}/**`)],
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
      'test/rigs/**',
      'test/run/**',
      'test/bench/**',
      'test/e2e/support/reporter.ts',
      'electron/main/practice/serve.ts'
    ],
    rules: { 'no-console': 'off' }
  },
  {
    files: ['*.js', '**/*.mjs', '**/*.cjs'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node }
  }
)
