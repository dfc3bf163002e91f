/** `npm run dist:service`: packs the points service with its own Node as a package for Debian, into `out/dist/`. */
import { join, relative } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { DIST_FOLDER } from '../packaging/electron-builder.config.ts'
import { packService } from '../packaging/service/pack.ts'
import { PROJECT, runTool, TOOLS } from './tools.ts'

const code = await runTool(TOOLS.messages, [])
if (code !== 0) process.exit(code)
// license-checker calls a deprecated function of Node for packages without a licence file.
process.noDeprecation = true
try {
  const file = await packService({ version: manifest.version, output: join(PROJECT, DIST_FOLDER) })
  console.log(relative(PROJECT, file))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
