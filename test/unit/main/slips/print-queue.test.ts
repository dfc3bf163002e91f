import { describe, expect, it } from 'vitest'
import { PrintQueue } from '../../../../electron/main/slips/print-jobs.ts'

/** Creates jobs that the test ends, and records the order in which they started. */
const jobs = () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    job: (name: string) => () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
    end: async (name: string) => {
      ends.get(name)?.()
      // The queue continues in later microtasks.
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
  }
}

describe('PrintQueue', () => {
  it('runs the first job at once, and then one job after the other', async () => {
    const { started, job, end } = jobs()
    const queue = new PrintQueue()
    const first = queue.add('counter', job('a'))
    const second = queue.add('counter', job('b'))
    expect(started).toEqual(['a'])
    await end('a')
    expect(started).toEqual(['a', 'b'])
    await end('b')
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  })

  it('runs jobs of the counter before jobs of batches', async () => {
    const { started, job, end } = jobs()
    const queue = new PrintQueue()
    for (const name of ['1', '2', '3']) void queue.add('batch', job(name))
    void queue.add('counter', job('customer'))
    await end('1')
    await end('customer')
    await end('2')
    expect(started).toEqual(['1', 'customer', '2', '3'])
  })

  it('continues after a failed job', async () => {
    const queue = new PrintQueue()
    const failed = queue.add('counter', () => Promise.reject(new Error('disk')))
    const next = queue.add('counter', () => Promise.resolve('next'))
    await expect(failed).rejects.toThrow('disk')
    expect(await next).toBe('next')
  })

  it('closes after the jobs of the counter, drops jobs of batches, and accepts no new ones', async () => {
    const { started, job, end } = jobs()
    const queue = new PrintQueue()
    void queue.add('counter', job('a'))
    void queue.add('counter', job('b'))
    const dropped = queue.add('batch', job('batch'))
    const closed = queue.close()
    await end('a')
    await end('b')
    await closed
    expect(await dropped).toBeNull()
    expect(await queue.add('counter', job('late'))).toBeNull()
    expect(started).toEqual(['a', 'b'])
  })
})
