import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { licenceOf } from '../../../resources/packaging/licences/licence.ts'
import { otherParts } from '../../../resources/packaging/licences/other-parts.ts'
import { dependencyFolders, manifestOf } from '../../../resources/packaging/licences/packages.ts'
import { npmSbom } from '../../../resources/packaging/sbom/npm-sbom.ts'
import { sbomOf } from '../../../resources/packaging/sbom/sbom.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const electron = manifestOf(join(PROJECT, 'node_modules/electron')).version
const npm = npmSbom(PROJECT)
const packages = [...dependencyFolders(PROJECT)].map((folder) => licenceOf(folder, PROJECT))
const sbom = sbomOf(npm, [...packages, ...otherParts(PROJECT)], electron)

describe('the bill of materials', () => {
  it('is CycloneDX, of an application', () => {
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'application', name: 'tillpoints' } }
    })
  })

  it('holds the packages of the till with their hashes, and no tool', () => {
    const names = sbom.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['electron', 'pdfkit', 'harfbuzzjs', '@hyzyla/pdfium']))
    expect(
      names.filter((name) => ['vitest', 'eslint', 'typescript', 'electron-builder'].includes(name))
    ).toEqual([])
    const ofNpm = sbom.components.filter((component) => 'purl' in component)
    expect(ofNpm).toHaveLength(packages.length + 1)
    for (const component of ofNpm) {
      expect(component, component.name).toMatchObject({ hashes: [{ alg: 'SHA-512' }] })
    }
  })

  it('holds the fonts and what lies inside packages', () => {
    const names = sbom.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['NotoSans (font)', 'HarfBuzz (in harfbuzzjs)']))
  })

  it('refers to nothing that it does not hold, and names each component once', () => {
    const references = sbom.components.map((component) => component['bom-ref'])
    expect(new Set(references).size).toBe(references.length)
    const known = new Set([...references, sbom.metadata.component['bom-ref']])
    for (const { ref, dependsOn } of sbom.dependencies) {
      for (const each of [ref, ...dependsOn]) expect(known).toContain(each)
    }
  })

  it('refuses a package that the lockfile does not know', () => {
    expect(() => sbomOf(npm, [{ name: 'smuggled', version: '1.0.0', licence: 'MIT' }], electron)).toThrow(
      'smuggled 1.0.0'
    )
  })
})
