/** Finds what the page awaits before it does something else. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'

/** Returns the code of a file: of a component what its scripts have. */
function codeOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.svelte')) return text
  return Array.from(text.matchAll(/<script[^>]*>([^]*?)<\/script>/g), ([, script]) => script).join('\n')
}

/** Whether a function ends with this statement, which may be in a branch. */
function isLast(statement: ts.Node): boolean {
  const { parent } = statement
  if (ts.isFunctionLike(parent)) return true
  if (ts.isIfStatement(parent)) return isLast(parent)
  if (!ts.isBlock(parent)) return false
  const next = parent.statements[parent.statements.findIndex((one) => one === statement) + 1]
  if (next && ts.isReturnStatement(next)) return next.expression === undefined
  return next === undefined && isLast(parent)
}

/** Whether a call or an await is followed by something in its function. */
const isFollowed = (node: ts.Node): boolean =>
  !ts.isAwaitExpression(node) || !ts.isExpressionStatement(node.parent) || !isLast(node.parent)

const isThen = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'then'

/** Returns the name of a class, method or function; undefined for another node, or one without a name. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return node.name?.getText()
  const isFunction =
    ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)
  return isFunction ? node.name.getText() : undefined
}

/**
 * Returns the methods and functions of a file that await something, or have a `then`, and do something after it: as
 * `Class.method`, in a component as `Component.function`.
 */
export function awaitsOf(file: string): string[] {
  const source = ts.createSourceFile(file, codeOf(file), ts.ScriptTarget.Latest, true)
  const component = file.endsWith('.svelte') ? [basename(file, '.svelte')] : []
  const found = new Set<string>()
  const visit = (node: ts.Node, names: readonly string[]): void => {
    const name = nameOf(node)
    const inside = name === undefined ? names : [...names, name]
    if ((ts.isAwaitExpression(node) || isThen(node)) && isFollowed(node)) found.add(inside.join('.'))
    ts.forEachChild(node, (child) => {
      visit(child, inside)
    })
  }
  visit(source, component)
  return [...found]
}
