export type * from './json.ts'
export { mcpMethods } from './shape/call-shapes.ts'
export type {
  HttpOutputMode,
  HttpArguments,
  OpenApiArguments,
  GrpcArguments,
  AsyncApiProtocol,
  AsyncApiMessage,
  AsyncApiConsumption,
  A2aMethod,
  A2aArguments,
  McpMethod,
  McpTransport,
  McpArguments,
} from './shape/call-shapes.ts'
export type {
  DurationParts,
  Duration,
  Timeout,
  SecretReference,
  UsernamePassword,
  BearerToken,
  OAuth2Token,
  OAuth2ClientAuthentication,
  OAuth2Client,
  OAuth2TokenRequest,
  OAuth2Grant,
  OAuth2Endpoints,
  OAuth2Properties,
  OidcProperties,
  AuthenticationPolicy,
  ReferenceableAuthentication,
  EndpointObject,
  Endpoint,
  ExternalResource,
  Catalog,
  Schema,
  Transformation,
  Input,
  Output,
  Export,
  ErrorDefinition,
  ErrorFilter,
  Backoff,
  RetryLimit,
  RetryPolicy,
} from './shape/data-shapes.ts'
export type { DocumentInfo, Extension, Use, Schedule, Evaluate, Definition } from './shape/definition-shape.ts'
export type {
  EmittedEvent,
  EventProperties,
  Correlation,
  EventFilter,
  EventConsumptionStrategy,
  EventReadMode,
} from './shape/event-shapes.ts'
export type {
  ContainerLifetime,
  ContainerProcess,
  ScriptProcess,
  ShellProcess,
  WorkflowProcess,
  ProcessReturn,
  RunConfiguration,
  ProcessResult,
} from './shape/run-shapes.ts'
export type {
  TaskItem,
  TaskList,
  FlowDirective,
  TaskBase,
  SubscriptionIterator,
  AsyncApiArguments,
  BuiltInCall,
  BuiltInCallTask,
  FunctionCallTask,
  CallTask,
  Catch,
  SwitchCase,
  DoTask,
  EmitTask,
  ForTask,
  ForkTask,
  ListenTask,
  RaiseTask,
  RunTask,
  SetTask,
  SwitchTask,
  TryTask,
  WaitTask,
  TasksByKind,
  TaskKind,
  Task,
  ClassifiedTask,
} from './shape/task-shapes.ts'
export { type DiagnosticCode, diagnosticCodes } from './diagnostics/codes.ts'
export type { Diagnostic } from './diagnostics/diagnostic.ts'
export { editDistance, suggest } from './diagnostics/suggest.ts'
export { durationMs, parseDuration } from './duration.ts'
export { isRuntimeExpression, unwrapExpression } from './expression/runtime-expression.ts'
export { type NamedVariables, variablesNamed } from './expression/variables-named.ts'
export { type ParseLimits, dataParseLimits, defaultParseLimits } from './parse/limits.ts'
export { type DefinitionFormat, type ParseOptions, type ParsedDefinition, parseDefinition } from './parse/parse-definition.ts'
export { renameDocument } from './edit/rename-document.ts'
export type { Positions, Span } from './parse/positions.ts'
export type { Position } from './parse/source-text.ts'
export { type CalledFunction, type KnownNames, calledFunction, knownNames } from './tasks/called-function.ts'
export { eachTask, type PlacedTask } from './tasks/each-task.ts'
export { type TaskEntry, taskEntries } from './tasks/task-entries.ts'
export { classifyTask, isCallOf, taskKind, taskKinds } from './tasks/task-kind.ts'
export { type FeatureNeed, featuresNeeded } from './features/features-needed.ts'
export { type OptionalFeature, lackOf, optionalFeatures } from './features/optional-features.ts'
export {
  anyInput,
  type GivenInput,
  inputWith,
  knownInput,
  mappedInput,
  mappingsBudget,
  notGiven,
  readsNotGiven,
} from './reads/given-input.ts'
export type { InputRead } from './reads/input-read.ts'
export { inputReads } from './reads/input-reads.ts'
export { inputUses, type InputUses } from './reads/input-uses.ts'
export { catalogedFunctionUri } from './resources/cataloged-function-uri.ts'
export { rawUri } from './resources/raw-uri.ts'
export { type Resource, resourcesOf } from './resources/resources-of.ts'
export { catalogFunction } from './tasks/catalog-function.ts'
export type { CatalogFunction, ValidateOptions, ValueFault } from './validate/options.ts'
export { type FunctionResult, parseFunction } from './validate/parse-function.ts'
export { unsupportedParts } from './validate/unsupported-parts.ts'
export { type ValidationResult, validateDefinition } from './validate/validate-definition.ts'
export { type FunctionReference, functionReference } from './tasks/function-reference.ts'
export { type CronStart, cronStartOf } from './schedule/next-start.ts'
export { isTimeZone } from './schedule/time-zone.ts'
export { type ScheduleTrigger, scheduleOf } from './schedule/schedule-of.ts'
export type { Cron } from './shape/cron.ts'
export { isLabelName, labelsMax, labelTextMax } from './shape/label-shape.ts'
export { type Stage, stageVariables } from './shape/stage.ts'
export { type Canonicalisable, canonicalJson, canonicalYaml } from './canonical/canonical.ts'
export { type Graph, type GraphEdge, type GraphNode, graphOf } from './graph/graph-of.ts'
export { drawText } from './drawing/draw-text.ts'
