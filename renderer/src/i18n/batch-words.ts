import type { Batch } from '../../../electron/contract/slips.ts'
import { counted } from '../format/counted.ts'
import { formatNumber } from '../format/numbers.ts'
import { m } from './m.ts'

/** `25 slips of 100 points`. */
export const batchTitle = ({ count, points }: Pick<Batch, 'count' | 'points'>): string =>
  m.batchTitle({ ...counted(count), points: m.points(counted(points)) })

/** `10 of 25 slips issued`. */
export const batchProgress = ({ count, issued }: Pick<Batch, 'count' | 'issued'>): string =>
  m.batchOf({ ...counted(count), issued: formatNumber(issued) })
