/** `npm run sbom`: writes the bill of materials of the built till to `out/sbom.cdx.json`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { manifestOf } from '../licences/packages.ts'
import { npmSbom } from './npm-sbom.ts'
import { listedPartsSchema, sbomOf } from './sbom.ts'

const PROJECT = join(import.meta.dirname, '../../..')

const parts = v.parse(
  listedPartsSchema,
  JSON.parse(readFileSync(join(PROJECT, 'out/third-party.json'), 'utf8'))
)
const { version } = manifestOf(join(PROJECT, 'node_modules/electron'))
const sbom = sbomOf(npmSbom(PROJECT), parts, version)
writeFileSync(join(PROJECT, 'out/sbom.cdx.json'), JSON.stringify(sbom, null, 2))
process.stdout.write(`out/sbom.cdx.json: ${sbom.components.length} components\n`)
