import { createNodeResolver, importX } from 'eslint-plugin-import-x'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { zones } from './resources/lint/import-zones.ts'
import moduleRules from './resources/lint/module-rules.ts'
import { noNode, recommended, rules } from './resources/lint/rules.ts'
import svelteConfig from './svelte.config.js'

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

/** The page and other components, which Oxlint cannot read. Everything else is in `oxlint.config.ts`. */
export default ts.config(
  { ignores: ['**/*.{js,mjs,cjs}', '*.ts', '{electron,generated,out,resources}/', 'test/**/*.ts'] },
  recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname
      }
    },
    plugins: { 'import-x': importX, modules: moduleRules },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.svelte'] })]
    },
    rules: {
      ...rules,
      'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }]
    }
  },
  {
    files: ['renderer/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [noNode] }],
      'no-restricted-syntax': ['error', ...noWordsInCode],
      // The content policy blocks both, and only at run time.
      'svelte/no-at-html-tags': 'error',
      'svelte/no-inline-styles': ['error', { allowTransitions: true }]
    }
  },
  {
    files: ['renderer/src/**'],
    rules: {
      'modules/no-import-cycle': 'error',
      'modules/unique-exported-names': ['error', ['electron', 'renderer/src']]
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
  }
)
