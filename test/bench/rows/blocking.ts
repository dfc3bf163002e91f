/** How long input from outside blocks main: the longest delay of the event loop meanwhile. */
import { Hono } from 'hono'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { ok } from '../../../electron/contract/failure.ts'
import { customerSchema } from '../../../electron/contract/loyalty.ts'
import { formatEntry } from '../../../electron/main/log/log.ts'
import type { InterfaceApp } from '../../../electron/main/local-interface/interface-app.ts'
import { LocalServer } from '../../../electron/main/local-interface/server.ts'
import { PrinterDiscovery } from '../../../electron/main/printer-discovery/printer-discovery.ts'
import { csvRecord } from '../../../electron/contract/text.ts'
import { chainedPointers, sharedLabels } from '../../support/hostile-mdns.ts'
import { freePort, LOOPBACK } from '../../support/loopback.ts'
import { loopbackNetwork, MDNS_GROUP } from '../../support/mdns-responder.ts'
import { noOpLogger } from '../../support/no-op-logger.ts'
import type { Bench } from '../bench.ts'
import { atMost } from '../line.ts'
import { longestBlock } from '../side-by-side.ts'

const ROUNDS = { smoke: 1, full: 10 } as const

/** 200 connections to the local interface that send nothing, and one more that does. */
async function idleConnections(): Promise<void> {
  const app: InterfaceApp = new Hono()
  const server = await LocalServer.listen({
    port: 0,
    app,
    lookUps: { mode: 'live' },
    onError: () => undefined
  })
  const sockets = Array.from({ length: 200 }, () =>
    connect(server.port, LOOPBACK).on('error', () => undefined)
  )
  await setTimeout(200)
  for (const socket of sockets) socket.destroy()
  await server.close()
}

/** 100 packets of 9 kB in a second, from two senders, while the till looks for printers. */
async function mdnsPackets(): Promise<void> {
  const port = await freePort()
  const none = (): Promise<readonly never[]> => Promise.resolve([])
  const discovery = new PrinterDiscovery({
    ports: { usbPrinters: none, serialPorts: none },
    printing: { list: () => Promise.resolve(ok([])) },
    log: noOpLogger,
    network: loopbackNetwork(port)
  })
  await discovery.start(() => undefined)
  const senders = [LOOPBACK, '127.66.6.6'].map((address) =>
    createSocket({ type: 'udp4', reuseAddr: true }).bind(port, address)
  )
  await Promise.all(senders.map((sender) => once(sender, 'listening')))
  for (const sender of senders) sender.setMulticastInterface(LOOPBACK)
  const packets = [chainedPointers(), sharedLabels()]
  for (let sent = 0; sent < 100; sent++) {
    senders[sent % 2]?.send(packets[Math.floor(sent / 2) % 2] ?? Buffer.of(), port, MDNS_GROUP)
    await setTimeout(10)
  }
  discovery.close()
  for (const sender of senders) sender.close()
}

/** The error page of an update server, 40 kB of letters. */
function errorPage(): void {
  const error = new Error(`404 ${'x'.repeat(40_000)}`)
  formatEntry(new Date(), 'warn', 'update-failed', { error }, ['secret'])
}

/** A customer whose name is 80,000 line breaks, found and exported. */
function longName(): void {
  const { name } = v.parse(customerSchema, { id: 'c-1', name: '\n'.repeat(80_000) })
  csvRecord([name], ',')
}

const WORK = {
  '200 idle connections': idleConnections,
  '100 packets of 9 kB': mdnsPackets,
  'an error page of 40 kB': errorPage,
  'a name of 80,000 lines': longName
}

/** The row of the longest blocks. */
export const blockingBench: Bench = {
  name: 'blocking',
  description: 'the longest delay of the event loop by input from outside',
  async measure({ extent }) {
    const lines = []
    for (const [name, work] of Object.entries(WORK)) {
      const ours: number[] = []
      for (let round = 0; round < ROUNDS[extent]; round++) ours.push(await longestBlock(work))
      lines.push({ name: `blocking: ${name}`, unit: 'ms', samples: { ours }, target: atMost(50) } as const)
    }
    return lines
  }
}
