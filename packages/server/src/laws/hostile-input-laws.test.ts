import { createTestServer } from '#testing/server.ts'
import { describeHostileInput } from './hostile-input-laws.ts'

describeHostileInput(() => createTestServer())
