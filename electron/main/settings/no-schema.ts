/**
 * In the place of ajv and ajv-formats in the built till (`electron.vite.config.ts`). electron-store brings them along to
 * check settings by a JSON schema, and loads them whether there is one or not; the till gives it none, since it reads its
 * settings by `stored.ts`. They were a third of what main reads at its start.
 */

/** What would be made to check a schema. Throws: there is none to check. */
export function Ajv2020(): never {
  throw new Error('Settings have no JSON schema: they are read by settings/stored.ts')
}

/** What would add formats to it. Never called. */
const addFormats = (): void => undefined
export default { default: addFormats }
