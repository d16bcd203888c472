import { createHash } from 'node:crypto'
import type { Tool } from '@synchub/protocol'
import canonicalize from 'canonicalize'
import { compileSchema, type SchemaCheck } from './schema-compiler.js'

/** What the hub holds a tool to: arguments going in, the structured result coming out. */
export interface ToolContract {
  readonly revision: string
  readonly checkArguments: SchemaCheck
  /** Absent where the tool promises no structured result. */
  readonly checkResult?: SchemaCheck
}

/** Digest of a tool's name and schemas: the revision that a call is checked against. */
export function toolRevision({ name, inputSchema, outputSchema }: Tool): string {
  const text = canonicalize({ name, inputSchema, outputSchema: outputSchema ?? null }) ?? ''
  return createHash('sha256').update(text).digest('hex')
}

/** Compiles the contracts of tools, each revision once. */
export interface ContractBook {
  /** @throws SchemaError when a schema of the tool cannot be used */
  contractOf(tool: Tool, revision: string): ToolContract
}

/** A book that keeps at most `maxContracts` compiled contracts, the last used ones. */
export function createContractBook(maxContracts = 1000): ContractBook {
  const contracts = new Map<string, ToolContract>()
  return {
    contractOf(tool, revision) {
      const contract = contracts.get(revision) ?? compileContract(tool, revision)
      // A map keeps the order in which names were set: the first one is the one that was not used for longest.
      contracts.delete(revision)
      contracts.set(revision, contract)
      const oldest = contracts.keys().next()
      if (contracts.size > maxContracts && oldest.done !== true) contracts.delete(oldest.value)
      return contract
    },
  }
}

function compileContract({ inputSchema, outputSchema }: Tool, revision: string): ToolContract {
  return {
    revision,
    checkArguments: compileSchema(inputSchema),
    ...(outputSchema === undefined ? {} : { checkResult: compileSchema(outputSchema) }),
  }
}
