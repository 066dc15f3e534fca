import { createTestServer } from '#testing/server.ts'
import { lawEnvironment } from '#laws/environment.ts'
import { describeHostileInput } from './hostile-input-laws.ts'

describeHostileInput(() => createTestServer(lawEnvironment))
