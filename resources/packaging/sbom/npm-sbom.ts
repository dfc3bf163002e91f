/** Asks npm for the bill of materials of the lockfile. */
import { execFileSync } from 'node:child_process'
import * as v from 'valibot'
import { npmSbomSchema, type Sbom } from './sbom.ts'

/** @param project the project's folder; nothing is read from the network */
export function npmSbom(project: string): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel', 'error']
  // Inside `npm run` npm names its own script, which starts without a shell on every system.
  const script = process.env['npm_execpath']
  const output =
    script === undefined
      ? execFileSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 })
      : execFileSync(process.execPath, [script, ...args], {
          cwd: project,
          encoding: 'utf8',
          maxBuffer: 2 ** 26
        })
  return v.parse(npmSbomSchema, JSON.parse(output))
}
