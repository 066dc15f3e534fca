import { Agent, type OutgoingHttpHeaders, request as sendRequest } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { base32nopad } from '@scure/base'
import type pg from 'pg'
import { totpCode } from '#modules/identity/factors/totp.ts'
import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'
import { followAuthorization, startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { createSamlProvider, samlForm } from '#testing/sign-in/saml-provider.ts'
import { createSoftwarePasskey, type SoftwarePasskey } from '#testing/software-passkey.ts'

export interface World {
  readonly url: string
  readonly database: pg.Client
  readonly users: number
}

/** A user who signs in, with what the steps have passed on. */
export interface Session {
  readonly url: string
  readonly email: string
  readonly visitor: Visitor
  /** Of the session of the registration. */
  token: string
  challenge: string
  request: string
  code: string
  secret: string
  number: string
  passkey: SoftwarePasskey | undefined
  /** Where the provider is asked. */
  authorizationUrl: string
  /** What the provider responded, as a query or a form. */
  returned: string
}

export interface SignInWay {
  readonly name: string
  /** Users who can sign in this way. */
  prepare(world: World, round: number): Promise<readonly Session[]>
  /** The requests of the sign-in, which are measured. */
  readonly steps: readonly Step[]
}

interface Step {
  run(session: Session): Promise<void>
  /** What happens elsewhere afterwards, which is not measured: a message arrives, a provider signs in. */
  after?(sessions: readonly Session[], world: World): Promise<void>
}

const password = 'nothing-but-a-bench-1'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
let people = 0

/** Every way to sign in, with the providers that they need. */
export async function signInWays() {
  const provider = await startMockProvider()
  const dns = await startDnsStandIn()
  const saml = createSamlProvider()
  /** Whom the provider signs in, by its authorization code. */
  const persons = new Map<string, string>()
  provider.server.service.on(
    'beforeTokenSigning',
    (token: { readonly payload: object }, request: { readonly body: { readonly code?: string } }) => {
      const email = persons.get(request.body.code ?? '')
      if (email !== undefined) Object.assign(token.payload, { sub: email, email, email_verified: true, name: 'Ada' })
    },
  )

  async function atProvider(sessions: readonly Session[]): Promise<void> {
    for (const session of sessions) {
      const fields = await followAuthorization(session.authorizationUrl)
      persons.set(fields['code'] ?? '', session.email)
      session.returned = new URLSearchParams(fields).toString()
    }
  }

  async function atSaml(sessions: readonly Session[]): Promise<void> {
    for (const session of sessions) {
      const xml = await saml.respond(session.authorizationUrl, { email: session.email })
      session.returned = new URLSearchParams(samlForm(session.authorizationUrl, xml)).toString()
    }
  }

  /** The same people in every round: the first one, which is not counted, creates their users. */
  const visitors = (domain: string) => async (world: World) =>
    Array.from({ length: world.users }, (_, index) => sessionOf(world.url, `ada${index}@${domain}`))

  const begin = (path: string) => async (session: Session) => {
    const { body } = await expectOk(session.visitor.get(`/api/v1/auth/${path.replace('EMAIL', session.email)}`))
    session.authorizationUrl = body.authorizationUrl
  }
  const callbackByQuery = (path: string) => async (session: Session) => {
    session.code = (await expectOk(session.visitor.get(`/api/v1/auth/${path}?${session.returned}`))).body.code
  }
  const callbackByForm = (path: string) => async (session: Session) => {
    session.code = (await expectOk(session.visitor.post(`/api/v1/auth/${path}`, session.returned, form))).body.code
  }
  const exchange: Step = { run: async (session) => signedIn(await session.visitor.post('/api/v1/auth/exchange', { code: session.code })) }

  /** An account with a verified domain and a provider of its own. */
  async function enterprise(world: World, domain: string, kind: 'oidc' | 'saml', settings: object): Promise<void> {
    const owner = await register(world, `owner@${domain}`)
    const { body } = await sendAs(owner, 'POST', 'account/domains', { domain })
    dns.records.set(body.record.name, body.record.value)
    await sendAs(owner, 'POST', `account/domains/${body.id}/verify`)
    await sendAs(owner, 'PUT', `account/sign-in-providers/${kind}`, { name: 'Own', ...settings })
  }
  const ofEnterprise = (domain: string, kind: 'oidc' | 'saml', settings: object) => async (world: World, round: number) => {
    if (round === 0) await enterprise(world, domain, kind, settings)
    return await visitors(domain)(world)
  }

  const login: Step = {
    async run(session) {
      const { body } = await auth(session, 'login', { email: session.email, password })
      session.challenge = body.challenge
    },
  }
  const verify = (given: (session: Session) => object): Step => ({
    run: async (session) => signedIn(await auth(session, 'mfa/verify', given(session), session.challenge)),
  })
  const passkeyOptions: Step = {
    async run(session) {
      const { body } = await auth(session, 'passkeys/sign-in/options', {})
      session.request = body.request
      session.code = body.options.challenge
    },
  }
  const credentialOf = ({ passkey, request, code }: Session) => ({ request, credential: passkey?.get(code) })
  const textCode = (body: (session: Session) => object): Step => ({
    async run(session) {
      session.request = (await auth(session, 'phone/send', body(session))).body.request
    },
    after: async (sessions, { database }) => {
      for (const session of sessions) session.code = await messageTo(database, session.number, /^\d{6}/)
    },
  })

  const all: readonly SignInWay[] = [
    {
      name: 'password',
      prepare: registered(),
      steps: [{ run: async (session) => signedIn(await auth(session, 'login', { email: session.email, password })) }],
    },
    {
      name: 'password, then authenticator',
      prepare: registered(withTotp),
      steps: [login, verify(({ secret }) => ({ code: codeOf(secret, 1) }))],
    },
    { name: 'password, then recovery code', prepare: registered(withTotp), steps: [login, verify(({ code }) => ({ recoveryCode: code }))] },
    {
      name: 'password, then code by text message',
      prepare: registered(withPhone(true)),
      steps: [login, textCode(({ challenge }) => ({ challenge })), verify(({ request, code }) => ({ request, code }))],
    },
    {
      name: 'password, then passkey',
      prepare: registered(withPasskey, demandingFactor),
      steps: [login, passkeyOptions, verify((session) => ({ passkey: credentialOf(session) }))],
    },
    {
      name: 'password, then enrolment that is demanded',
      prepare: registered(demandingFactor),
      steps: [
        login,
        {
          async run(session) {
            session.secret = (await auth(session, 'mfa/enroll', {}, session.challenge)).body.secret
          },
        },
        {
          run: async (session) =>
            signedIn(await auth(session, 'mfa/enroll-verify', { code: codeOf(session.secret, 0) }, session.challenge)),
        },
      ],
    },
    {
      name: 'passkey alone',
      prepare: registered(withPasskey),
      steps: [
        passkeyOptions,
        { run: async (session) => signedIn(await auth(session, 'passkeys/sign-in', { passkey: credentialOf(session) })) },
      ],
    },
    {
      name: 'code by text message alone',
      prepare: registered(withPhone(false)),
      steps: [
        textCode(({ number }) => ({ number })),
        { run: async (session) => signedIn(await auth(session, 'phone/verify', { request: session.request, code: session.code })) },
      ],
    },
    {
      name: 'link by mail',
      prepare: registered(),
      steps: [
        {
          async run(session) {
            session.request = (await auth(session, 'magic-link', { email: session.email })).body.request
          },
          after: async (sessions, { database }) => {
            for (const session of sessions) session.code = await messageTo(database, session.email, /(?<=\/mail\/magic#token=)[\w-]+/)
          },
        },
        { run: async (session) => signedIn(await auth(session, 'magic-link/verify', { token: session.code, request: session.request })) },
      ],
    },
    {
      name: 'provider of the installation, by a form',
      prepare: visitors('one.example'),
      steps: [{ run: begin('loginone'), after: atProvider }, { run: callbackByForm('loginone/callback') }, exchange],
    },
    {
      name: 'provider of the installation, by a redirect',
      prepare: visitors('two.example'),
      steps: [{ run: begin('logintwo'), after: atProvider }, { run: callbackByQuery('logintwo/callback') }, exchange],
    },
    {
      name: 'provider of an account, OpenID Connect',
      prepare: ofEnterprise('oidc.example', 'oidc', { issuer: provider.issuer, clientId: 'millrace' }),
      steps: [{ run: begin('oidc/login?email=EMAIL'), after: atProvider }, { run: callbackByQuery('oidc/callback') }, exchange],
    },
    {
      name: 'provider of an account, SAML',
      prepare: ofEnterprise('saml.example', 'saml', { metadata: saml.metadata }),
      steps: [{ run: begin('oidc/login?email=EMAIL'), after: atSaml }, { run: callbackByForm('saml/acs') }, exchange],
    },
  ]
  return {
    all,
    environment: {
      MILLRACE_DNS_SERVERS: dns.address,
      MILLRACE_LOGIN_ONE_ISSUER: provider.issuer,
      MILLRACE_LOGIN_ONE_CLIENT_ID: 'millrace',
      MILLRACE_LOGIN_TWO_ISSUER: provider.issuer,
      MILLRACE_LOGIN_TWO_CLIENT_ID: 'millrace',
    },
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
    },
  }
}

type Preparation = (session: Session, world: World) => Promise<void>

/** New users, each prepared in turn. */
function registered(...preparations: readonly Preparation[]) {
  return async (world: World): Promise<readonly Session[]> => {
    const sessions: Session[] = []
    for (let index = 0; index < world.users; index++) {
      const session = await register(world, `user${++people}@example.com`)
      for (const prepare of preparations) await prepare(session, world)
      sessions.push(session)
    }
    return sessions
  }
}

function sessionOf(url: string, email: string): Session {
  visitors += 1
  const visitor = createVisitor(url, `127.1.${visitors >> 8}.${visitors & 255}`)
  const rest = { token: '', challenge: '', request: '', code: '', secret: '', number: '', authorizationUrl: '', returned: '' }
  return { url, email, visitor, passkey: undefined, ...rest }
}

async function register({ url }: World, email: string): Promise<Session> {
  const session = sessionOf(url, email)
  session.token = (await auth(session, 'register', { email, password })).body.accessToken
  return session
}

/** An authenticator whose code of the current step was used, and one of the recovery codes. */
async function withTotp(session: Session): Promise<void> {
  const { secret } = (await auth(session, 'mfa/setup', {}, session.token)).body
  const { recoveryCodes } = (await auth(session, 'mfa/verify-setup', { code: codeOf(secret, 0) }, session.token)).body
  Object.assign(session, { secret, code: recoveryCodes[0] })
}

function withPhone(secondFactor: boolean): Preparation {
  return async (session, { database }) => {
    session.number = `+4915112${String(345_000 + ++people)}`
    const { request } = (await auth(session, 'phone/enroll', { number: session.number, secondFactor }, session.token)).body
    const code = await messageTo(database, session.number, /^\d{6}/)
    await auth(session, 'phone/enroll-verify', { request, code }, session.token)
    await database.query('delete from dev_outbox where recipient = $1', [session.number])
    await database.query('delete from text_message_counts')
  }
}

async function withPasskey(session: Session): Promise<void> {
  session.passkey = createSoftwarePasskey({ origin: session.url })
  const { request, options } = (await auth(session, 'passkeys/options', {}, session.token)).body
  await auth(session, 'passkeys', { request, name: 'Laptop', credential: session.passkey.create(options.challenge) }, session.token)
}

async function demandingFactor({ email }: Session, { database }: World): Promise<void> {
  await database.query('update accounts set requires_mfa = true where id = (select account_id from users where email = $1)', [email])
}

const stepMs = 30_000

function codeOf(secret: string, steps: number): string {
  return totpCode(base32nopad.decode(secret), Math.floor(Date.now() / stepMs) + steps)
}

/** Waits for the newest message to a recipient, and reads what it is for. */
async function messageTo(database: pg.Client, recipient: string, part: RegExp): Promise<string> {
  for (let looks = 0; looks < 1200; looks++) {
    const { rows } = await database.query<{ text: string }>('select text from dev_outbox where recipient = $1 order by created_at desc', [
      recipient,
    ])
    const found = rows.map(({ text }) => part.exec(text)?.[0]).find((each) => each !== undefined)
    if (found !== undefined) return found
    await setTimeout(50)
  }
  throw new Error(`no message to ${recipient} has ${String(part)}`)
}

let visitors = 0

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- A missing member is undefined, and the next request fails.
  readonly body: any
}

type Visitor = ReturnType<typeof createVisitor>

/** A browser on a machine of its own: an address of this machine that no other has, so that failures and limits of others do not count. */
function createVisitor(url: string, localAddress: string) {
  const cookies = new Map<string, string>()
  const { port, host } = new URL(url)
  const agent = new Agent({ keepAlive: true, localAddress })

  async function send(method: string, path: string, body: string | undefined, headers: OutgoingHttpHeaders): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const sent = sendRequest({ host: '127.0.0.1', port, agent, method, path, headers: { host, cookie, ...headers } }, (response) => {
      for (const line of response.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';')
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.includes('json') === true
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
    return promise
  }

  return {
    address: localAddress,
    get: (path: string) => send('GET', path, undefined, {}),
    post: (path: string, body: object | string, headers: OutgoingHttpHeaders = {}) =>
      send('POST', path, typeof body === 'string' ? body : JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
    send: (method: string, path: string, body: object, headers: OutgoingHttpHeaders) =>
      send(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
  }
}

async function expectOk(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering
  if (answer.status !== 200) throw new Error(`the server answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

function auth({ visitor }: Session, path: string, body: object, token?: string): Promise<Answer> {
  return expectOk(visitor.post(`/api/v1/auth/${path}`, body, token === undefined ? {} : { authorization: `Bearer ${token}` }))
}

function sendAs({ visitor, token }: Session, method: string, path: string, body: object = {}): Promise<Answer> {
  return expectOk(visitor.send(method, `/api/v1/${path}`, body, { authorization: `Bearer ${token}` }))
}

function signedIn({ status, body }: Answer): void {
  if (status !== 200 || body.status !== 'signed_in') throw new Error(`the sign-in ended with ${status}: ${JSON.stringify(body)}`)
}
