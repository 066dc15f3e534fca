import { type Client, createClient } from '@millrace/client'
import type { groups } from '@millrace/contract'
import { operations } from 'virtual:operations'
import { sessionFetch } from '#src/session/session-fetch.ts'
import { accessToken } from '#src/session/session.ts'

/** Every operation of this version of the server. */
export const api: Client<typeof groups> = createClient({ baseUrl: '', token: accessToken, groups: operations, fetch: sessionFetch })
