/** The paper sizes that a queue of CUPS offers, and the option that selects one of them for a page. */
import type { PrintPage } from '../pages.ts'
import type { IppAttribute, IppAttributes, IppRange, IppValue } from './ipp.ts'

/** What the printer does not reach, in millimetres. */
interface Margins {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Lengths in millimetres. */
export interface Media {
  /** keyword of PWG 5101.1; null: any size between two */
  readonly keyword: string | null
  readonly width: IppRange
  readonly height: IppRange
  readonly margins: Margins
}

/** The attributes that `parseMedia` reads. */
export const MEDIA_ATTRIBUTES = [
  'media-supported',
  'media-size-supported',
  'media-col-database',
  'media-left-margin-supported',
  'media-right-margin-supported',
  'media-top-margin-supported',
  'media-bottom-margin-supported'
] as const

const SIDES = ['left', 'right', 'top', 'bottom'] as const
const NO_MARGINS: Margins = { left: 0, right: 0, top: 0, bottom: 0 }

const millimetres = (hundredths: number): number => hundredths / 100

const rangeOf = (value: IppValue | undefined): IppRange | null => {
  if (typeof value === 'number') return { from: millimetres(value), to: millimetres(value) }
  return typeof value === 'object' && 'from' in value
    ? { from: millimetres(value.from), to: millimetres(value.to) }
    : null
}

/** The members of an attribute's collections. */
const collections = (attributes: IppAttributes, name: string): readonly IppAttributes[] =>
  (attributes.get(name) ?? []).flatMap((value) =>
    typeof value === 'object' && 'members' in value ? [value.members] : []
  )

/** The greatest of an attribute's numbers for each side. */
function marginsIn(attributes: IppAttributes, name: (side: (typeof SIDES)[number]) => string): Margins {
  const margins = { ...NO_MARGINS }
  for (const side of SIDES) {
    const numbers = (attributes.get(name(side)) ?? []).filter((value) => typeof value === 'number')
    margins[side] = millimetres(Math.max(0, ...numbers))
  }
  return margins
}

const greater = (one: Margins, other: Margins): Margins => ({
  left: Math.max(one.left, other.left),
  right: Math.max(one.right, other.right),
  top: Math.max(one.top, other.top),
  bottom: Math.max(one.bottom, other.bottom)
})

const MILLIMETRES_PER = { mm: 1, in: 25.4 } as const

/** The size at the end of a keyword, such as `iso_a6_105x148mm`. */
function sizeOfKeyword(keyword: string): readonly [width: number, height: number] | null {
  const [, width, height, unit] = /_(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)$/.exec(keyword) ?? []
  if (unit !== 'mm' && unit !== 'in') return null
  return [Number(width) * MILLIMETRES_PER[unit], Number(height) * MILLIMETRES_PER[unit]]
}

/** Sizes are the same within this difference: drivers round to points, some to whole millimetres. */
const SAME_SIZE_MM = 0.5

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= SAME_SIZE_MM

/** Whether a queue offers any size between two. */
export const hasCustomSizes = (attributes: IppAttributes): boolean =>
  collections(attributes, 'media-size-supported').some((size) =>
    [...size.values()].flat().some((value) => typeof value === 'object')
  )

/**
 * Reads the sizes of a queue. Of a size with several margins, such as with and without a border, the widest count. CUPS
 * does not report the margins of sizes between two: they are `customMargins`, or the widest of the queue.
 */
export function parseMedia(attributes: IppAttributes, customMargins: Margins | null): readonly Media[] {
  const widest = marginsIn(attributes, (side) => `media-${side}-margin-supported`)
  const described = collections(attributes, 'media-col-database').flatMap((media) =>
    collections(media, 'media-size').map((size) => ({
      width: rangeOf(size.get('x-dimension')?.[0]),
      height: rangeOf(size.get('y-dimension')?.[0]),
      margins: marginsIn(media, (side) => `media-${side}-margin`)
    }))
  )
  const keywords = (attributes.get('media-supported') ?? []).filter((value) => typeof value === 'string')
  return collections(attributes, 'media-size-supported').flatMap((size): readonly Media[] => {
    const [width, height] = [rangeOf(size.get('x-dimension')?.[0]), rangeOf(size.get('y-dimension')?.[0])]
    if (width === null || height === null) return []
    const margins = described
      .filter((media) => media.width?.from === width.from && media.width.to === width.to)
      .filter((media) => media.height?.from === height.from && media.height.to === height.to)
      .map((media) => media.margins)
    if (width.from !== width.to || height.from !== height.to) {
      const custom = margins.length > 0 ? margins.reduce(greater) : (customMargins ?? widest)
      return [{ keyword: null, width, height, margins: custom }]
    }
    const keyword = keywords.find((known) => {
      const [knownWidth, knownHeight] = sizeOfKeyword(known) ?? [0, 0]
      return isSame(knownWidth, width.from) && isSame(knownHeight, height.from)
    })
    // A size without a name cannot be asked for.
    if (keyword === undefined) return []
    return [{ keyword, width, height, margins: margins.length > 0 ? margins.reduce(greater) : widest }]
  })
}

const MILLIMETRES_PER_POINT = 25.4 / 72

/** Returns the margins of custom sizes in a PPD file (`HWMargins`, in points); none where it says nothing. */
export function customMarginsOf(ppd: string): Margins {
  const [, numbers = ''] = /^\*HWMargins:\s*"?([\d.\s]+)/m.exec(ppd) ?? []
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers
    .trim()
    .split(/\s+/)
    .map((points) => Number(points) * MILLIMETRES_PER_POINT)
  return { left, bottom, right, top }
}

/** CUPS rounds custom sizes to points. */
const POINT_ROUNDING_MM = MILLIMETRES_PER_POINT / 2

/** Half a dot of 203 dpi. */
const HALF_A_DOT_MM = 25.4 / 203 / 2

/** Whether `page`, in the middle of the paper, has nothing where the printer does not reach. */
function fits({ keyword, width, height, margins }: Media, page: PrintPage): boolean {
  const { widthMillimetres, heightMillimetres, blank } = page
  const tolerance = keyword === null ? POINT_ROUNDING_MM : SAME_SIZE_MM
  const isBetween = (length: number, { from, to }: IppRange): boolean =>
    length >= from - tolerance && length <= to + tolerance
  // Paper of a name may be a little wider or narrower than the page.
  const [beside, above] =
    keyword === null ? [0, 0] : [width.to - widthMillimetres, height.to - heightMillimetres]
  const sides = blank.sides + beside / 2 + HALF_A_DOT_MM
  const ends = blank.ends + above / 2 + HALF_A_DOT_MM
  return (
    isBetween(widthMillimetres, width) &&
    isBetween(heightMillimetres, height) &&
    Math.max(margins.left, margins.right) <= sides &&
    Math.max(margins.top, margins.bottom) <= ends
  )
}

/** At most two decimals, no exponent. */
const inPpd = (length: number): string => String(Math.round(length * 100) / 100)

/**
 * Returns the option that makes each of these queues print a page whole and in its size, or null. CUPS drops a size that a
 * queue does not have, without a word, and crops the page to the driver's default. `media=Custom…` would lose 0.3 mm to
 * rounding.
 */
export function sizeOption(queues: readonly (readonly Media[])[], page: PrintPage): IppAttribute | null {
  const keywords = queues.map((media) => media.filter((one) => fits(one, page)).map(({ keyword }) => keyword))
  const common = keywords[0]?.filter((keyword) => keywords.every((others) => others.includes(keyword))) ?? []
  const named = common.find((keyword) => keyword !== null)
  if (typeof named === 'string') return ['media', 'keyword', [named]]
  if (common.length === 0) return null
  const [width, height] = [inPpd(page.widthMillimetres), inPpd(page.heightMillimetres)]
  return ['PageSize', 'nameWithoutLanguage', [`Custom.${width}x${height}mm`]]
}

/** Returns what a size is called in a list: `102 × 127 mm`. */
export function mediaName({ width, height }: Media): string {
  const length = ({ from, to }: IppRange): string =>
    [...new Set([from, to].map((end) => String(Math.round(end))))].join('–')
  return `${length(width)} × ${length(height)} mm`
}
