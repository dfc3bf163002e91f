/**
 * Checks, in plain Node, what the built main process imports from npm packages that are not bundled. vitest adds names to
 * CommonJS modules that Node does not see, so a unit test passes where the shipped import is undefined.
 *
 * `node external-imports.ts FOLDER` imports each package once from the built files below FOLDER, and prints each name
 * that is used and does not exist. Exits with 1 when there is one, or when no import was found.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

/** A package and the names that a file uses of its module: `print`, or `default.print`. */
interface ExternalImport {
  readonly file: string
  readonly specifier: string
  readonly names: readonly string[]
}

const isExternal = (specifier: string): boolean => !/^[./]|^node:/.test(specifier) && specifier !== 'electron'

/** Returns the members that a file reads of a variable, by its name. */
function membersOf(file: ts.SourceFile, variable: string): string[] {
  const members: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      if (node.expression.text === variable) members.push(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return members
}

/** Returns the names that an import clause uses, with the members of what it binds. */
function importedNames(file: ts.SourceFile, clause: ts.ImportClause | undefined): string[] {
  const names: string[] = []
  if (clause?.name)
    names.push('default', ...membersOf(file, clause.name.text).map((name) => `default.${name}`))
  const bindings = clause?.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) names.push(...membersOf(file, bindings.name.text))
  if (bindings && ts.isNamedImports(bindings))
    names.push(...bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text))
  return names
}

/** Returns the names that are destructured or read of `await import('…')`. */
function awaitedNames(file: ts.SourceFile, call: ts.CallExpression): string[] {
  let { parent }: ts.Node = call
  while (ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent)) ({ parent } = parent)
  if (ts.isPropertyAccessExpression(parent)) return [parent.name.text]
  if (!ts.isVariableDeclaration(parent)) return []
  if (ts.isIdentifier(parent.name)) return membersOf(file, parent.name.text)
  if (!ts.isObjectBindingPattern(parent.name)) return []
  return parent.name.elements.flatMap(({ name, propertyName }) => {
    if (!ts.isIdentifier(name)) return []
    const imported = propertyName && ts.isIdentifier(propertyName) ? propertyName.text : name.text
    return [imported, ...membersOf(file, name.text).map((member) => `${imported}.${member}`)]
  })
}

/** Returns the external imports of a built file, static and dynamic ones. */
function externalImports(path: string): ExternalImport[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: ExternalImport[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const specifier = node.moduleSpecifier.text
      if (isExternal(specifier))
        found.push({ file: path, specifier, names: importedNames(file, node.importClause) })
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteralLike(argument) && isExternal(argument.text))
        found.push({ file: path, specifier: argument.text, names: awaitedNames(file, node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const has = (module: unknown, name: string): boolean => {
  let value = module
  for (const part of name.split('.')) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !(part in value))
      return false
    value = Reflect.get(value, part)
  }
  return true
}

const folder = resolve(process.argv[2] ?? 'out/main')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.js')
)
const imports = files.flatMap((name) => externalImports(join(folder, name)))
const missing: string[] = []
for (const { file, specifier, names } of imports) {
  const module: unknown = await import(specifier)
  for (const name of names) if (!has(module, name)) missing.push(`${specifier}: ${name}, imported by ${file}`)
  process.stdout.write(`${specifier}: ${names.join(', ')}\n`)
}
for (const line of missing) process.stderr.write(`missing: ${line}\n`)
process.exitCode = missing.length > 0 || imports.length === 0 ? 1 : 0
