/**
 * The till's bill of materials (CycloneDX). npm knows every package of the lockfile with its hash, the build knows what
 * of it is in the till: tools that only build or test are left out, fonts and the like are added.
 */
import * as v from 'valibot'

/** A part as the build lists it in `out/third-party.json`. */
export const listedPartsSchema = v.array(
  v.object({ name: v.string(), version: v.nullable(v.string()), licence: v.string() })
)
export type ListedPart = v.InferOutput<typeof listedPartsSchema>[number]

const componentSchema = v.looseObject({
  'bom-ref': v.string(),
  type: v.string(),
  name: v.string(),
  version: v.string()
})

/** What `npm sbom --sbom-format cyclonedx` writes, as far as it is changed here. */
export const npmSbomSchema = v.looseObject({
  bomFormat: v.literal('CycloneDX'),
  specVersion: v.string(),
  serialNumber: v.pipe(v.string(), v.regex(/^urn:uuid:/)),
  metadata: v.looseObject({ component: componentSchema }),
  components: v.array(componentSchema),
  dependencies: v.array(v.object({ ref: v.string(), dependsOn: v.array(v.string()) }))
})
export type Sbom = v.InferOutput<typeof npmSbomSchema>

/**
 * Narrows npm's bill to what is in the till.
 * @param npm the bill of everything in the lockfile, tools included
 * @param parts what the build put into the till
 * @param electron version of the runtime
 * @throws when a package of the till is not in npm's bill
 */
export function sbomOf(npm: Sbom, parts: readonly ListedPart[], electron: string): Sbom {
  const till = npm.metadata.component['bom-ref']
  const known = new Map(npm.components.map((component) => [component['bom-ref'], component]))
  const packages = [`electron@${electron}`, ...parts.map(({ name, version }) => `${name}@${version ?? ''}`)]
  const others = parts.filter(({ name, version }) => !known.has(`${name}@${version ?? ''}`))
  const forgotten = others.filter(({ name, version }) => version !== null && !name.includes(' '))
  const [missing] = forgotten
  if (missing)
    throw new Error(`${missing.name} ${missing.version ?? ''} is in the till and not in the lockfile`)

  const components = [...new Set(packages)].flatMap((reference) => known.get(reference) ?? [])
  const added = others.map(({ name, version, licence }) => ({
    'bom-ref': name,
    type: name.endsWith('(font)') ? 'file' : 'library',
    name,
    version: version ?? '',
    licenses: [{ license: { id: licence } }]
  }))
  const kept = new Set(components.map((component) => component['bom-ref']))
  return {
    ...npm,
    metadata: {
      ...npm.metadata,
      component: { ...npm.metadata.component, type: 'application', name: 'tillpoints' }
    },
    components: [...components, ...added],
    dependencies: npm.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }))
      // What is bundled is the till's own, whoever asked for it in package.json.
      .concat({ ref: till, dependsOn: [...kept, ...added.map((each) => each['bom-ref'])] })
  }
}
