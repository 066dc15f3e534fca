import { existsSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, onTestFinished, vi } from 'vitest'
import { chromiumPath, launchChromium } from '#testing/chromium.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { orderScreen } from '#testing/order-screen.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/livecapture'
const hasFfmpeg = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'].some((file) => existsSync(file))
const at = '2026-01-05T09:00:00Z'
const order = (sequence: number, body: unknown = { item: 7 }) => ({
  sequence,
  at,
  kind: 'request',
  request: { method: 'POST', url: 'https://shop.example.com/orders', status: 200, contentType: 'application/json', body },
})

async function start(account: TestAccount, more: object = {}) {
  return (await account.send('POST', `${path}/session/start`, { name: 'Order a chair', ...more })).body
}
const send = (account: TestAccount, sessionId: string, more: object) => account.send('POST', `${path}/events`, { sessionId, ...more })
const stop = (account: TestAccount, sessionId: string) => account.send('POST', `${path}/session/stop`, { sessionId })
const definitionOf = async (account: TestAccount, workflowId: string) =>
  (await account.send('GET', `/api/v1/workflows/${workflowId}`)).body.definition

describe('events', () => {
  test('a repeated batch changes nothing, and late events take their place in the order', async () => {
    const account = await server.registerAccount()
    const { id } = await start(account)
    const click = { sequence: 5, at, kind: 'click', label: 'Buy', selector: '#buy' }
    expect((await send(account, id, { events: [order(9), click] })).body).toMatchObject({ accepted: 2, known: 0, lastSequence: 9 })
    expect((await send(account, id, { events: [order(9), click] })).body).toMatchObject({ accepted: 0, known: 2, lastSequence: 9 })
    await send(account, id, { events: [{ sequence: 2, at, kind: 'navigate', url: 'https://shop.example.com/', title: 'Shop' }] })
    const { body } = await account.send('GET', `${path}/session/${id}?limit=2`)
    expect(body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2, 5])
    expect((await account.send('GET', `${path}/session/${id}?after=${body.nextAfter}`)).body.data).toMatchObject([{ sequence: 9 }])
  })

  test('typed values are dropped and replaced in requests, and a password is dropped even without masking', async () => {
    const account = await server.registerAccount()
    const events = [
      { sequence: 1, at, kind: 'change', field: 'email', label: 'E-mail', value: 'ada@example.com' },
      { sequence: 2, at, kind: 'change', field: 'pin', value: 'pin 4711 of mine', secret: true },
      order(3, { mail: 'ada@example.com', auth: 'pin 4711 of mine', note: 'for ada@example.com', item: 7 }),
    ]
    const masking = await start(account)
    await send(account, masking.id, { events })
    const masked = JSON.stringify((await account.send('GET', `${path}/session/${masking.id}`)).body)
    expect(masked).not.toMatch(/ada@example|4711/)
    const open = await start(account, { maskInputs: false })
    await send(account, open.id, { events })
    const kept = JSON.stringify((await account.send('GET', `${path}/session/${open.id}`)).body)
    expect(kept).toContain('ada@example.com')
    expect(kept).not.toContain('4711')
    const { body } = await stop(account, open.id)
    expect(body.draft).toMatchObject({ inputs: ['email', 'pin'], calls: 1, manualSteps: 0 })
    expect(body.draft.notes.join(' ')).toContain('were passwords: pin')
    const definition = await definitionOf(account, body.draft.workflowId)
    expect(definition.do[0]['page-1'].do[0]['post-orders'].with.body).toEqual({
      mail: '${ $workflow.input.email }',
      auth: '${ $workflow.input.pin }',
      note: '${ "for " + ($workflow.input.email | tostring) }',
      item: 7,
    })
    expect(definition.input.schema.document.properties.email).toMatchObject({ title: 'E-mail', examples: ['ada@example.com'] })
  })

  test('a recording of Chrome DevTools and events of rrweb become the same steps', async () => {
    const account = await server.registerAccount()
    const recording = {
      title: 'order',
      steps: [
        { type: 'setViewport', width: 800, height: 600, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: true },
        { type: 'navigate', url: 'https://shop.example.com/' },
        { type: 'change', selectors: [['aria/City'], ['#city']], value: 'London' },
        { type: 'click', selectors: [['aria/Buy'], ['#buy']], offsetX: 1, offsetY: 1 },
      ],
    }
    const node = (id: number, tagName: string, attributes: object, text?: string) => ({
      type: 2,
      id,
      tagName,
      attributes,
      childNodes: text === undefined ? [] : [{ type: 3, id: id + 100, textContent: text }],
    })
    const body = {
      type: 0,
      id: 1,
      childNodes: [node(2, 'input', { id: 'city', 'aria-label': 'City' }), node(3, 'button', { id: 'buy' }, 'Buy')],
    }
    const rrweb = [
      { type: 4, timestamp: 1, data: { href: 'https://shop.example.com/' } },
      { type: 2, timestamp: 2, data: { node: body } },
      { type: 3, timestamp: 3, data: { source: 5, id: 2, text: 'Lon', isChecked: false } },
      { type: 3, timestamp: 4, data: { source: 5, id: 2, text: 'London', isChecked: false } },
      { type: 3, timestamp: 5, data: { source: 2, type: 2, id: 3 } },
      { type: 3, timestamp: 6, data: { source: 3, id: 1, x: 0, y: 10 } },
    ]
    for (const [form, ignored] of [
      [{ recording }, 1],
      [{ rrweb }, 1],
    ] as const) {
      const { id } = await start(account)
      expect((await send(account, id, form)).body).toMatchObject({ ignored })
      const { draft } = (await stop(account, id)).body
      expect(draft).toMatchObject({ pages: 1, calls: 0, manualSteps: 2 })
      const [group] = (await definitionOf(account, draft.workflowId)).do
      const tasks = Object.values<{ do: object[] }>(group)[0]?.do
      expect(tasks).toMatchObject([
        { 'fill-in-city': { set: { step: 'Fill in "City"' } } },
        { 'click-buy': { set: { step: 'Click "Buy"' } } },
      ])
    }
  })

  test('a text that is cut inside of a character is stored', async () => {
    const account = await server.registerAccount()
    const { id } = await start(account)
    const href = 'https://shop.example.com/'.padEnd(2_047, 'a')
    const { status } = await send(account, id, { rrweb: [{ type: 4, timestamp: 1, data: { href: `${href}😀` } }] })
    expect(status).toBe(200)
  })

  test('what is no recording, no event or two forms at once is refused with its pointer', async () => {
    const account = await server.registerAccount()
    const { id } = await start(account)
    const pointers = async (more: object) => {
      const { status, body } = await send(account, id, more)
      return [status, ...body.errors.map(({ pointer }: { pointer: string }) => pointer)]
    }
    expect(await pointers({})).toEqual([400, ''])
    expect(await pointers({ recording: { title: 'x', steps: [{ type: 'fly' }] } })).toEqual([400, '/recording'])
    expect(await pointers({ rrweb: [{ type: 2, timestamp: 1, data: {} }, 'no'] })).toEqual([400, '/rrweb/1'])
    expect(await pointers({ events: [order(1)], rrweb: [{}] })).toEqual([400, '/rrweb'])
    expect(await pointers({ events: [{ sequence: 1, at, kind: 'request' }] })).toEqual([400, '/events/0/request'])
  })
})

describe('stop', () => {
  test('repeated and concurrent stops make one draft, and a stopped session takes no events', async () => {
    const account = await server.registerAccount()
    const { id } = await start(account)
    await send(account, id, { events: [order(1)] })
    const answers = await Promise.all([stop(account, id), stop(account, id), stop(account, id)])
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.draft?.workflowId}`)).size).toBe(1)
    expect((await account.send('GET', '/api/v1/workflows')).body.data).toHaveLength(1)
    expect((await send(account, id, { events: [order(2)] })).body).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('a session without steps is refused with the reason, and still takes them', async () => {
    const account = await server.registerAccount()
    const { id } = await start(account)
    expect((await stop(account, id)).body).toMatchObject({ status: 422, code: 'capture_empty' })
    // The first steps may still be on their way.
    expect((await send(account, id, { events: [order(1)] })).body).toMatchObject({ accepted: 1 })
    expect((await stop(account, id)).body.draft).toMatchObject({ calls: 1 })
  })

  test('a failed call is left out and noted, and a read is left out when nothing needs it', async () => {
    const account = await server.registerAccount()
    const { id } = await start(account)
    const call = (sequence: number, request: object) => ({ sequence, at, kind: 'request', request })
    const events = [
      call(1, { method: 'GET', url: 'https://shop.example.com/ads', status: 200 }),
      call(2, { method: 'POST', url: 'https://shop.example.com/carts', status: 201 }),
      call(3, {
        method: 'POST',
        url: 'https://shop.example.com/carts/⟦response:2:/cart/id⟧/items',
        status: 201,
        body: { ref: '⟦response:2:/cart/id⟧' },
      }),
      call(4, { method: 'DELETE', url: 'https://shop.example.com/carts/9', status: 500 }),
    ]
    await send(account, id, { events })
    const { draft } = (await stop(account, id)).body
    expect(draft.calls).toBe(2)
    expect(draft.notes.join(' ')).toContain('1 calls were left out because they failed')
    const [make, fill] = (await definitionOf(account, draft.workflowId)).do[0]['page-1'].do
    expect(make['post-carts']).toMatchObject({ export: { as: '${ $context + { call_2: . } }' }, metadata: { capture: { events: [2] } } })
    expect(fill['post-items'].with).toMatchObject({
      endpoint: '${ "https://shop.example.com/carts/" + ($context.call_2["cart"]["id"] | tostring | @uri) + "/items" }',
      body: { ref: '${ $context.call_2["cart"]["id"] }' },
    })
  })
})

/** A shop: makes carts, fills them, and takes orders by a form. */
async function startShop(recorder: { script: string; endpoint: string }) {
  const effects: unknown[] = []
  let carts = 0
  const page = (title: string, body: string) =>
    `<!doctype html><html><head><title>${title}</title><script src="${recorder.script}" data-endpoint="${recorder.endpoint}"></script></head><body>${body}</body></html>`
  const front = page(
    'Shop',
    `<label>Quantity <input id="quantity" name="quantity" type="number"></label><button id="add">Add to cart</button><p id="state"></p><script>
    let cart
    document.getElementById('add').onclick = async () => {
      cart ??= (await (await fetch('/api/carts', { method: 'POST' })).json()).cart
      const body = JSON.stringify({ item: 'chair', quantity: Number(document.getElementById('quantity').value) })
      await fetch('/api/carts/' + cart.id + '/items', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      document.getElementById('state').innerHTML = '<a id="pay" href="/checkout?cart=' + cart.id + '">Pay</a>'
    }</script>`,
  )
  const checkout = (cart: string) =>
    page(
      'Checkout',
      `<form method="post" action="/orders"><input type="hidden" name="cart" value="${cart}"><label>E-mail <input name="email"></label><button id="order">Order</button></form>`,
    )
  async function respond(request: IncomingMessage, response: ServerResponse) {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const url = new URL(request.url ?? '', 'http://shop')
    const give = (type: string, text: string) => void response.writeHead(200, { 'content-type': type }).end(text)
    if (request.method === 'GET')
      return give('text/html; charset=utf-8', url.pathname === '/checkout' ? checkout(url.searchParams.get('cart') ?? '') : front)
    if (url.pathname === '/api/carts') {
      effects.push('cart')
      return give('application/json', JSON.stringify({ cart: { id: `cart-${++carts}00` } }))
    }
    if (url.pathname === '/orders') {
      effects.push({ order: Object.fromEntries(new URLSearchParams(body)) })
      return give('text/html', page('Thanks', '<p id="thanks">Thank you</p>'))
    }
    effects.push({ to: url.pathname, ...JSON.parse(body) })
    return give('application/json', '{}')
  }
  return { ...(await listenLocally(respond)), effects }
}

describe('the recorder', () => {
  test.skipIf(chromiumPath === undefined)('a recorded purchase becomes a workflow that has the same effect on the shop', async () => {
    const account = await server.registerAccount()
    const { id, recorder } = await start(account)
    const local = {
      script: `${server.url}${new URL(recorder.script).pathname}`,
      endpoint: `${server.url}${new URL(recorder.endpoint).pathname}`,
    }
    await using shop = await startShop(local)
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(shop.url)
      await page.fill('#quantity', '3')
      await page.click('#add')
      await page.click('#pay')
      await page.fill('[name=email]', 'ada@example.com')
      await page.click('#order')
      await page.waitForSelector('#thanks')
      await expect.poll(async () => JSON.stringify((await account.send('GET', `${path}/session/${id}`)).body.data)).toContain('Thanks')
    } finally {
      await browser.close()
    }
    const recorded = shop.effects.splice(0)
    expect(recorded).toHaveLength(3)
    expect(JSON.stringify((await account.send('GET', `${path}/session/${id}?limit=500`)).body)).not.toContain('ada@example.com')

    const { draft } = (await stop(account, id)).body
    expect(draft).toMatchObject({ calls: 3, inputs: ['quantity', 'email'], manualSteps: 0 })
    await account.send('PUT', `/api/v1/workflows/${draft.workflowId}`, { publish: true })
    const input = { quantity: 3, email: 'ada@example.com' }
    const { body } = await account.send('POST', `/api/v1/workflows/${draft.workflowId}/execute`, { input }, { prefer: 'wait=20' })
    expect(body).toMatchObject({ state: 'completed' })
    const renumbered = JSON.parse(JSON.stringify(recorded).replaceAll('cart-100', 'cart-200'))
    expect(shop.effects).toEqual(renumbered)
  })

  test.skipIf(chromiumPath === undefined)(
    'what is typed into a form of a search is in no address, neither of its call nor of the page of results',
    async () => {
      const account = await server.registerAccount()
      const { id, recorder } = await start(account)
      const local = (url: string) => `${server.url}${new URL(url).pathname}`
      const script = `<script src="${local(recorder.script)}" data-endpoint="${local(recorder.endpoint)}"></script>`
      const form =
        '<form action="/found"><input name="q"><input type="hidden" name="in" value="all & more"><button id="go">Search</button></form>'
      const site = await listenLocally(async (request, response) => {
        // The title is cut inside of its last character.
        const title = request.url?.startsWith('/found') === true ? `${'Results'.padEnd(299, '!')}😀` : 'Search'
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(`<!doctype html><title>${title}</title>${script}${form}`)
      })
      await using _site = site
      const browser = await launchChromium()
      try {
        const page = await browser.newPage()
        await page.goto(site.url)
        await page.fill('[name=q]', 'Ada & Sons')
        await page.click('#go')
        await expect.poll(async () => JSON.stringify((await account.send('GET', `${path}/session/${id}`)).body.data)).toContain('Results')
      } finally {
        await browser.close()
      }
      const { data } = (await account.send('GET', `${path}/session/${id}?limit=500`)).body
      expect(JSON.stringify(data)).not.toMatch(/Ada|Sons/)
      const address = `${site.url}/found?q=⟦input:q⟧&in=all%20%26%20more`
      expect(data.find(({ kind }: { kind: string }) => kind === 'request')).toMatchObject({ request: { url: address } })
      expect(data.at(-1)).toMatchObject({ kind: 'navigate', title: 'Results'.padEnd(299, '!'), url: address })
    },
  )

  test('its page and script are public, and only the token of the session admits events', async () => {
    const account = await server.registerAccount()
    const { id, recorder } = await start(account)
    const local = (url: string) => `${server.url}${new URL(url).pathname}`
    const script = await fetch(local(recorder.script))
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(await (await fetch(local(recorder.page))).text()).toContain('Record with Millrace')
    const post = (url: string, body: string) => fetch(url, { method: 'POST', body })
    const events = JSON.stringify({ events: [order(1)] })
    expect((await post(local(recorder.endpoint), events)).status).toBe(200)
    expect((await post(`${server.url}/capture/${'x'.repeat(43)}`, events)).status).toBe(404)
    expect((await post(local(recorder.endpoint), '{"events":[{}]}')).status).toBe(400)
    expect((await account.send('GET', `${path}/session/${id}`)).body.events).toBe(1)
  })
})

describe('a video', () => {
  const analyze = (account: TestAccount, body: object) => account.send('POST', `${path}/analyze-video`, { name: 'Screen', ...body })

  test('the text of its pictures becomes pages and inputs, without their values', async () => {
    const account = await server.registerAccount()
    const image = await orderScreen()
    const { body } = await analyze(account, {
      frames: [
        { atMs: 0, image },
        { atMs: 500, image },
      ],
    })
    expect(body).toMatchObject({ draft: { pages: 1, inputs: ['Quantity', 'City'] }, frames: [{ atMs: 0, lines: 4 }, { atMs: 500 }] })
    const definition = JSON.stringify(await definitionOf(account, body.draft.workflowId))
    expect(definition).toContain('Order a chair')
    expect(definition).not.toContain('London')
  })

  test('what is no video or no picture is refused', async () => {
    const account = await server.registerAccount()
    const base64 = Buffer.from('hello').toString('base64')
    expect((await analyze(account, { video: base64 })).body).toMatchObject({ status: 400, errors: [{ pointer: '/video' }] })
    expect((await analyze(account, { frames: [{ atMs: 0, image: base64 }] })).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/frames/0/image' }],
    })
    expect((await analyze(account, {})).body).toMatchObject({ status: 400 })
    const damaged = `${(await orderScreen()).slice(0, 60)}${base64}`
    expect((await analyze(account, { frames: [{ atMs: 0, image: damaged }] })).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '' }],
    })
  })

  test('without ffmpeg a video is a 503 that says so', async () => {
    vi.stubEnv('PATH', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const account = await server.registerAccount()
    // The begin of an mp4.
    const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(12)])
    expect((await analyze(account, { video: mp4.toString('base64') })).body).toMatchObject({ status: 503, code: 'ffmpeg_missing' })
  })

  test.skipIf(!hasFfmpeg)('the pictures of a clip are read', async () => {
    const account = await server.registerAccount()
    const folder = await mkdtemp(join(tmpdir(), 'millrace-clip-'))
    try {
      await writeFile(join(folder, 'screen.png'), Buffer.from(await orderScreen(), 'base64'))
      execFileSync('ffmpeg', ['-v', 'error', '-loop', '1', '-i', 'screen.png', '-t', '2', '-r', '10', '-pix_fmt', 'yuv420p', 'clip.mp4'], {
        cwd: folder,
      })
      const video = (await readFile(join(folder, 'clip.mp4'))).toString('base64')
      const { body } = await analyze(account, { video })
      expect(body).toMatchObject({ draft: { inputs: ['Quantity', 'City'] }, frames: [{ atMs: 0 }] })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

test('a session of another account is unknown to every operation', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  const { id } = await start(account)
  for (const answer of [
    await send(other, id, { events: [order(1)] }),
    await stop(other, id),
    await other.send('GET', `${path}/session/${id}`),
  ])
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found' })
})
