/** Rules of both linters. */
import js from '@eslint/js'
import ts from 'typescript-eslint'

export const recommended = [
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked
]

/** Beside the recommended ones. */
export const rules = {
  'no-console': 'error',
  // Playwright reads a fixture's needs from its first parameter, which is empty when it needs none.
  'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
  eqeqeq: 'error',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
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
  // Own classes have private fields: TypeScript tells their instances from other objects. Oxlint does not have it.
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off'
} as const

export const noNode = {
  regex: '^(node:.*|electron(-store|/.*)?)$',
  message: 'No Node and no Electron here.'
}
