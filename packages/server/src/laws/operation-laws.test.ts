import { createTestServer } from '#testing/server.ts'
import { lawEnvironment } from '#laws/environment.ts'
import { describeLaws } from './operation-laws.ts'

describeLaws(() => createTestServer(lawEnvironment))
