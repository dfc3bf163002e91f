import { describe, expect, it } from 'vitest'
import { createPrintQueue } from '../../../../electron/main/slips/print-queue.ts'

/** Jobs that end when the test says so, and the order they began in. */
const jobs = () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    job: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
    end: async (name: string) => {
      ends.get(name)?.()
      // the queue goes on in the turns after
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
  }
}

describe('the print queue', () => {
  it('begins at once when it is empty, and then one job after the other', async () => {
    const { begun, job, end } = jobs()
    const queue = createPrintQueue()
    const first = queue.add('counter', job('a'))
    const second = queue.add('counter', job('b'))
    expect(begun).toEqual(['a'])
    await end('a')
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  })

  it('lets the counter go before batches', async () => {
    const { begun, job, end } = jobs()
    const queue = createPrintQueue()
    for (const name of ['1', '2', '3']) void queue.add('batch', job(name))
    void queue.add('counter', job('customer'))
    await end('1')
    await end('customer')
    await end('2')
    expect(begun).toEqual(['1', 'customer', '2', '3'])
  })

  it('goes on after a job that failed', async () => {
    const queue = createPrintQueue()
    const failed = queue.add('counter', () => Promise.reject(new Error('disk')))
    const next = queue.add('counter', () => Promise.resolve('next'))
    await expect(failed).rejects.toThrow('disk')
    expect(await next).toBe('next')
  })

  it('closes when the counter is served; batches are dropped, and nothing new begins', async () => {
    const { begun, job, end } = jobs()
    const queue = createPrintQueue()
    void queue.add('counter', job('a'))
    void queue.add('counter', job('b'))
    const dropped = queue.add('batch', job('batch'))
    const closed = queue.close()
    await end('a')
    await end('b')
    await closed
    expect(await dropped).toBeNull()
    expect(await queue.add('counter', job('late'))).toBeNull()
    expect(begun).toEqual(['a', 'b'])
  })
})
