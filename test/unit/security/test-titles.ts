/** The titles of a test file, and references to them in documents. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const isTestFunction = (callee: ts.Node): boolean => {
  if (ts.isIdentifier(callee)) return ['describe', 'it', 'test'].includes(callee.text)
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) {
    return isTestFunction(callee.expression)
  }
  return false
}

/** Returns the titles of the tests and groups of a file, as they are written: with `%s` or `${…}` for what varies. */
export function testTitles(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestFunction(node.expression)) {
      const [title] = node.arguments
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        titles.push(title.getText(source))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

/** Returns the words of a text, in lower case and joined by dashes. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** Returns whether a title contains the words of a slug. */
export const hasTitle = (titles: readonly string[], slug: string): boolean =>
  titles.some((title) => `-${slugOf(title)}-`.includes(`-${slug}-`))
