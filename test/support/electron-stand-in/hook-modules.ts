import { registerHooks } from 'node:module'
import { electron } from './electron-module.ts'

const ADDRESS = 'electron-stand-in:module'
const GLOBAL = Symbol.for('tillpoints.electron-stand-in')

/**
 * Answers `import 'electron'` and `require('electron')` (and electron/main, electron/common) with the stand-in, before
 * the npm package of that name, which only knows where the executable is.
 */
export function hookElectronModule(): void {
  Reflect.set(globalThis, GLOBAL, electron)
  const names = Object.keys(electron).filter((name) => name !== '__standIn')
  const source = [
    `const electron = globalThis[Symbol.for('${GLOBAL.description}')]`,
    'export default electron',
    `export const { ${names.join(', ')} } = electron`,
    // What require() gives: the object itself rather than the module's namespace.
    "export { electron as 'module.exports' }"
  ].join('\n')
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^electron(\/(main|common))?$/.test(specifier)) return next(specifier, context)
      return { url: ADDRESS, format: 'module', shortCircuit: true }
    },
    load(url, context, next) {
      if (url !== ADDRESS) return next(url, context)
      return { format: 'module', source, shortCircuit: true }
    }
  })
}
