/** What the floor's client loads. */
import 'node:child_process';
import 'node:http';
