import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

const PROJECT = join(import.meta.dirname, '../../../..')

/** Methods of an event emitter, whose first argument names the event. */
const LISTENS = new Set(['on', 'once', 'off', 'emit'])
/** Plain values, and Node's own object. */
const WITHOUT_BEHAVIOUR = new Set(['Process', 'ProcessVersions', 'Rectangle', 'Size'])

const isElectrons = (node: ts.Node): boolean =>
  node.getSourceFile().fileName.endsWith('/electron/electron.d.ts')

/** Returns the member of Electron's API that a node reads or sets; undefined for anything else. */
function memberOf(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node))
    return checker.getSymbolAtLocation(node.name)
  if (!ts.isBindingElement(node)) return undefined
  return checker.getTypeAtLocation(node.parent).getProperty((node.propertyName ?? node.name).getText())
}

/** Returns the name of an API that a node uses, such as `App.getPath` or `App 'activate'`; null for anything else. */
function apiOf(checker: ts.TypeChecker, node: ts.Node): string | null {
  if (ts.isNewExpression(node)) {
    const created = checker.getTypeAtLocation(node).symbol as ts.Symbol | undefined
    return created?.declarations?.some(isElectrons) ? `new ${created.name}` : null
  }
  const member = memberOf(checker, node)
  const [declaration] = member?.declarations ?? []
  if (!member || !declaration || !isElectrons(declaration)) return null
  const owner = declaration.parent
  if (!(ts.isInterfaceDeclaration(owner) || ts.isClassDeclaration(owner)) || !owner.name) return null
  if (WITHOUT_BEHAVIOUR.has(owner.name.text)) return null
  const event = ts.isCallExpression(node.parent) ? node.parent.arguments[0] : undefined
  return LISTENS.has(member.name) && event && ts.isStringLiteral(event)
    ? `${owner.name.text} '${event.text}'`
    : `${owner.name.text}.${member.name}`
}

/** Returns the members of Electron's API that the till's sources use, with the events that they listen to, sorted. */
export function usedApis(): string[] {
  const { config } = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), (file) =>
    readFileSync(file, 'utf8')
  ) as { config: unknown }
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT)
  // The linter has all other sources run without Electron.
  const sources = fileNames.filter(
    (file) =>
      relative(PROJECT, file).startsWith('electron/') && readFileSync(file, 'utf8').includes("'electron'")
  )
  // Other files are not read: only Electron's own types count.
  const program = ts.createProgram([...sources, join(PROJECT, 'node_modules/electron/electron.d.ts')], {
    ...options,
    noResolve: true
  })
  const checker = program.getTypeChecker()
  const used = new Set<string>()
  const visit = (node: ts.Node): void => {
    const api = apiOf(checker, node)
    if (api !== null) used.add(api)
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) if (sources.includes(file.fileName)) visit(file)
  return [...used].sort()
}
