/** The tools of a server: listed, called, and refused where they cannot be. */
import { isObject } from '../basics/json.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { MissingCapability } from '../protocol/errors.ts';
import type { Extension } from '../protocol/extension.ts';
import type { Params } from '../rpc/message.ts';
import { expectValues } from '../schema/compile.ts';
import type { AnyTool } from '../tools/tool.ts';
import { type Around, aroundCalls } from './around-calls.ts';
import { argumentsOf, textOf, unknown } from './call-params.ts';
import type { Offer, OfferSettings } from './offer.ts';
import { type RegisteredTool, registerTool } from './register-tool.ts';
import { keyed, type Paging, Registry } from './registry.ts';
import { missingOf } from './required.ts';
import { runTool } from './run-tool.ts';

export class ToolOffer implements Offer {
  readonly #settings: OfferSettings;
  readonly #around: Around | undefined;
  readonly #registry: Registry<RegisteredTool>;

  /** Throws a TypeError that names the tool when one cannot be offered. */
  constructor(tools: readonly AnyTool[], settings: OfferSettings, extensions: readonly Extension[]) {
    this.#settings = settings;
    this.#around = aroundCalls(extensions, settings.runner.report);
    this.#registry = register(tools, settings.paging());
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return { tools: { listChanged: true } };
  }

  get methods(): Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>> {
    return { 'tools/list': call => this.#list(call), 'tools/call': this.#call };
  }

  /** The schema of a tool's arguments; nothing for a tool that is not there. */
  inputSchema(name: string): object | undefined {
    return this.#registry.get(name)?.input.json;
  }

  #list(call: Call): Outcome {
    // Who lists tools calls one of them soon.
    expectValues();
    return this.#settings.lasting(this.#registry.page(call.params));
  }

  readonly #call = (call: Call): Outcome | Promise<Outcome> => {
    const { name: named, arguments: given } = call.params;
    const name = typeof named === 'string' ? named : textOf(named, 'name must be the name of a tool');
    const args = isObject(given) ? given : argumentsOf(call.params);
    const registered = this.#registry.get(name);
    if (!registered) throw unknown('tool', name, this.#registry.keys);
    const { requires } = registered.tool;
    const missing = requires === undefined ? undefined : missingOf(requires, call.client.capabilities);
    if (missing) throw new MissingCapability(`the tool ${name} needs a client that can do more`, missing);
    if (this.#around) return this.#runWithin(this.#around, registered, args, call);
    const result = runTool(registered, args, call, this.#settings.runner);
    return result instanceof Promise ? result.then(value => ({ value })) : { value: result };
  };

  #runWithin(around: Around, registered: RegisteredTool, args: Params, call: Call): Promise<Outcome> {
    const run = async (inner: Call): Promise<Outcome> => ({
      value: await runTool(registered, args, inner, this.#settings.runner),
    });
    return around(call, registered.tool, run);
  }
}

function register(tools: readonly AnyTool[], paging: Paging): Registry<RegisteredTool> {
  return new Registry('tools', keyed('tools', 'name', tools, registerTool), paging);
}
