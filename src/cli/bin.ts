#!/usr/bin/env node
/** The command `tenon`. */
import { main } from './main.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await main(process.argv.slice(2), processTerminal);
