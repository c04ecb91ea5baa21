/** What the official clients are told to do with a server, the same for each: list, call in order, tell what they saw. */

/**
 * A plan is `{ command, args, env, calls }`; a call is `{ name, arguments, cancel }`, where `cancel` aborts it at its
 * first progress. Prints one line of JSON.
 */
export async function followPlan(client, plan, revision) {
  const { tools } = await client.listTools();
  const results = [];
  for (const { name, arguments: args, cancel } of plan.calls) {
    const controller = new AbortController();
    const progress = [];
    const onprogress = report => {
      progress.push(report);
      if (cancel) controller.abort('enough');
    };
    const options = { onprogress, signal: controller.signal };
    try {
      const result = await client.callTool(
        { name, arguments: args },
        ...(client.callToolSchema ?? []),
        options,
      );
      results.push({ ...result, progress });
    } catch (error) {
      results.push({ thrown: error.message, code: error.code, progress });
    }
  }
  const seen = {
    revision: revision(),
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    tools,
    results,
  };
  await client.close();
  console.log(JSON.stringify(seen));
}
