/** Our client's entry. */
import 'tenon/client';
