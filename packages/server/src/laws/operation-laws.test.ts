import { createTestServer } from '#testing/server.ts'
import { describeLaws } from './operation-laws.ts'

describeLaws(() => createTestServer())
