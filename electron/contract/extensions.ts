/** Extensions of the interface: what a service offers beside the nine operations. */
import * as v from 'valibot'

/** What a service may offer beside the interface document, with the version (docs/service-extension.md). */
const EXTENSIONS = [
  'redemptions/1',
  'codes/1',
  'credits/1',
  'returns/1',
  'collections/1',
  'customer-codes/1',
  'devices/1',
  'offline-codes/1',
  'rules/1'
] as const
export type Extension = (typeof EXTENSIONS)[number]

/** The extensions that the till knows. Anything else than a list reads as none, and so does any other name or version. */
export const extensionsSchema = v.fallback(
  v.pipe(
    v.array(v.unknown()),
    v.transform((sent): readonly Extension[] => EXTENSIONS.filter((name) => sent.includes(name)))
  ),
  []
)
