/** PINs as they are kept: the result of scrypt (RFC 7914) with a salt of its own, never the digits. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** A PIN as it lies on disk. The parameters are kept with it, so that later tills may raise theirs. */
export interface KeptPin {
  /** base64 */
  readonly salt: string
  /** base64 */
  readonly key: string
  /** scrypt's N, a power of two */
  readonly cost: number
  /** scrypt's r */
  readonly blockSize: number
  /** scrypt's p */
  readonly parallelization: number
}

/** 32 MB and a tenth of a second on a slow till. */
const COST = { cost: 2 ** 15, blockSize: 8, parallelization: 1 } as const

const SALT_BYTES = 16
const KEY_BYTES = 32

/** Memory that scrypt needs for these parameters, in bytes, with room for what it keeps beside (RFC 7914, 2). */
const memory = ({ cost, blockSize }: Pick<KeptPin, 'cost' | 'blockSize'>): number =>
  2 * 128 * cost * blockSize

/** On a thread of its own: main goes on meanwhile. */
const derive = (
  pin: string,
  salt: Buffer,
  length: number,
  { cost, blockSize, parallelization }: Pick<KeptPin, 'cost' | 'blockSize' | 'parallelization'>
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { cost, blockSize, parallelization, maxmem: memory({ cost, blockSize }) }
    scrypt(pin, salt, length, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })

/** Makes what is kept of a PIN. The same PIN twice gives two different results. */
export async function keepPin(pin: string): Promise<KeptPin> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(pin, salt, KEY_BYTES, COST)
  return { salt: salt.toString('base64'), key: key.toString('base64'), ...COST }
}

/** Whether `pin` is the one that was kept. Takes the same time for any wrong one. */
export async function isKeptPin(pin: string, kept: KeptPin): Promise<boolean> {
  const key = Buffer.from(kept.key, 'base64')
  const derived = await derive(pin, Buffer.from(kept.salt, 'base64'), key.length, kept)
  return timingSafeEqual(derived, key)
}
