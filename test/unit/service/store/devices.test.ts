import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { LINK_TIME_MS } from '../../../../electron/service/domain/devices.ts'
import { DeviceStore } from '../../../../electron/service/store/devices.ts'
import { openShop, type Shop } from './shop.ts'

const openDevices = (shop: Shop, now = () => new Date()) =>
  new DeviceStore({ database: shop.database, now, random: (size) => randomBytes(size) })

const addDevice = async (shop: Shop, devices: DeviceStore) => {
  const added = devices.create(shop.business)
  await devices.add(added)
  return { cookie: added.cookie, device: { id: added.id, business: shop.business, customer: null } }
}

it('links a device by its digits once, and stores the hash of the cookie only', async () => {
  const shop = await openShop()
  const devices = openDevices(shop)
  const customer = await shop.register('+306940000001')
  const { cookie, device } = await addDevice(shop, devices)
  expect(JSON.stringify(await shop.database.read('SELECT * FROM devices'))).not.toContain(cookie)
  expect(await devices.find(shop.business, cookie)).toEqual(device)
  expect(await devices.find(shop.business + 1, cookie)).toBeNull()

  const digits = await devices.offerLink(device)
  expect(digits).toMatch(/^\d{6}$/)
  await expect(devices.link(shop.business + 1, customer, digits)).rejects.toThrow('no such customer')
  expect(await devices.link(shop.business, customer, digits)).toBe(device.id)
  const other = await shop.register('+306940000002')
  await expect(devices.link(shop.business, other, digits)).rejects.toThrow('No device shows')
  await expect(devices.unlink(shop.business, other, device.id)).rejects.toThrow('no such device')
  expect((await shop.identities.export(shop.business, customer))?.devices).toMatchObject([{ id: device.id }])

  await devices.unlink(shop.business, customer, device.id)
  expect(await devices.find(shop.business, cookie)).toEqual(device)
  await expect(devices.link(shop.business, customer, digits)).rejects.toThrow('No device shows')
})

it('refuses digits after ten minutes', async () => {
  const shop = await openShop()
  let time = Date.now()
  const devices = openDevices(shop, () => new Date(time))
  const customer = await shop.register('+306940000001')
  const digits = await devices.offerLink((await addDevice(shop, devices)).device)
  time += LINK_TIME_MS
  await expect(devices.link(shop.business, customer, digits)).rejects.toThrow('No device shows')
})

it('moves a device with a merge, and unlinks it by an erasure', async () => {
  const shop = await openShop()
  const devices = openDevices(shop)
  const kept = await shop.register('+306940000001')
  const merged = await shop.register('+306940000002')
  const { cookie, device } = await addDevice(shop, devices)
  await devices.link(shop.business, merged, await devices.offerLink(device))
  await shop.identities.merge(shop.business, kept, merged)
  expect((await shop.identities.export(shop.business, kept))?.devices).toMatchObject([{ id: device.id }])
  await shop.identities.erase(shop.business, kept)
  expect(await devices.find(shop.business, cookie)).toEqual(device)
})

it('takes back what a customer unlinked, by the device or another one of the customer, once', async () => {
  const shop = await openShop()
  const devices = openDevices(shop)
  const customer = await shop.register('+306940000001')
  const linked = async () => {
    const added = await addDevice(shop, devices)
    await devices.link(shop.business, customer, await devices.offerLink(added.device))
    return added
  }
  const [own, other] = [await linked(), await linked()]
  const isLinked = async ({ cookie }: typeof own) =>
    (await devices.find(shop.business, cookie))?.customer === customer
  await devices.unlinkOwn(shop.business, customer, other.device.id)
  await devices.unlinkOwn(shop.business, customer, other.device.id)
  const { device: stranger } = await addDevice(shop, devices)
  expect(await devices.unlinked(stranger)).toEqual([])
  await devices.relink(stranger, other.device.id)
  expect(await isLinked(other)).toBe(false)
  expect(await devices.unlinked(own.device)).toEqual([other.device.id])
  await devices.relink(own.device, other.device.id)
  expect([await isLinked(other), await devices.unlinked(own.device)]).toEqual([true, []])

  await devices.unlinkOwn(shop.business, customer, own.device.id)
  await devices.clean()
  expect(await devices.unlinked(own.device)).toEqual([own.device.id])
  await shop.identities.erase(shop.business, customer)
  await devices.relink(own.device, own.device.id)
  expect(await isLinked(own)).toBe(false)
})
