import type { FunctionManifest } from '@millrace/engine'
import { manifest as accountRead } from './account-read/manifest.ts'
import { manifest as agent } from './agent/manifest.ts'
import { manifest as agentStart } from './agent-start/manifest.ts'
import { manifest as agentTurn } from './agent-turn/manifest.ts'
import { manifest as approve } from './approve/manifest.ts'
import { manifest as connectorCall } from './connector-call/manifest.ts'
import { manifest as email } from './email/manifest.ts'
import { manifest as model } from './model/manifest.ts'
import { manifest as respond } from './respond/manifest.ts'

/** The default catalog: every function that a definition of this installation can call by name. One folder each. */
export const catalog: readonly FunctionManifest[] = [
  accountRead,
  agent,
  agentStart,
  agentTurn,
  approve,
  connectorCall,
  email,
  model,
  respond,
]
