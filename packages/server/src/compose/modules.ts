import { apiKeys, auth, executions, health, workflows } from '@millrace/contract'
import type { Engine, Json, Processor } from '@millrace/engine'
import { createExecutionReader } from '@millrace/engine/storage'
import type pg from 'pg'
import { catalog } from '#catalog/catalog.ts'
import { apiKeyHandlers } from '#modules/access/index.ts'
import { createExecutions, executionHandlers } from '#modules/executions/index.ts'
import { type Health, healthHandlers } from '#modules/health/index.ts'
import { authHandlers } from '#modules/identity/index.ts'
import { createTemplates } from '#modules/templates/index.ts'
import {
  type CompiledDefinitions,
  createDefinitionReader,
  createStartLookup,
  createWorkflows,
  type PinResources,
  versionQuery,
  workflowHandlers,
} from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { served, type ServedGroup } from '#platform/http/index.ts'
import type { SecretStore } from '#platform/secrets/secret-store.ts'
import type { Authentication } from './authentication.ts'
import type { System } from './system.ts'

export interface ModulesDeps {
  readonly database: Database
  readonly enginePool: pg.Pool
  readonly engine: Engine
  readonly definitions: CompiledDefinitions
  readonly secrets: Pick<SecretStore, 'names'>
  readonly authentication: Pick<Authentication, 'identity' | 'access'>
  readonly health: Health
  /** The groups of events and dead letters; `retry` continues an execution in a new one. */
  readonly serveEvents: (
    retry: (
      accountId: string,
      executionId: string,
      command: { readonly actor: string; readonly input: Json | undefined },
    ) => Promise<{ readonly id: string }>,
  ) => Readonly<Record<string, ServedGroup>>
  readonly processor: Processor
  readonly system: System
  readonly pinResources: PinResources
  readonly closing: AbortSignal
}

/** The health of the process alone. */
export function serveHealth(service: Health): Readonly<Record<string, ServedGroup>> {
  return { health: served(health, healthHandlers(service)) }
}

/** Every group of operations with its handlers. */
export function serveModules(deps: ModulesDeps): Readonly<Record<string, ServedGroup>> {
  const { database, enginePool, engine, definitions, authentication, system, closing } = deps
  const workflowService = createWorkflows({
    now: system.now,
    newId: system.newId,
    secretNames: deps.secrets.names,
    reader: createDefinitionReader({ processor: deps.processor, functions: catalog }),
    transaction: (accountId, fn) => database.account(accountId, fn),
    pinResources: deps.pinResources,
    permissions: new Set(['run.script.js']),
    findTemplate: createTemplates().find,
  })
  const executionService = createExecutions({
    engine,
    reader: createExecutionReader({ pool: enginePool, versionQuery }),
    versionQuery,
    findTarget: createStartLookup(enginePool),
    inputFaults: definitions.inputFaults,
    loadWorkflow: definitions.load,
    assertWorkflow: workflowService.assertKnown,
    processor: deps.processor,
    closing,
    now: system.now,
  })
  return {
    ...serveHealth(deps.health),
    auth: served(auth, authHandlers(authentication.identity)),
    apiKeys: served(apiKeys, apiKeyHandlers(authentication.access)),
    workflows: served(workflows, workflowHandlers({ service: workflowService, now: system.now })),
    executions: served(executions, executionHandlers(executionService)),
    ...deps.serveEvents((accountId, id, command) => executionService.control.retry(accountId, id, { ...command, version: undefined })),
  }
}
